import {
  type CheckedFlow,
  checkFlow,
  Float,
  type FlowFiles,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  prepareFlow,
  type RowRun,
  stringifyJson,
} from '@unroll/engine';
import { caseNodeType } from './case-node-type.ts';

/** A flow as the cases write it. */
export interface CaseFlow {
  readonly inputs: Readonly<Record<string, JsonObject>>;
  readonly nodes: readonly JsonObject[];
  readonly outputs: Readonly<Record<string, JsonValue>>;
}

export type CaseRun =
  | { readonly checked: CheckedFlow; readonly row?: never }
  | { readonly checked: CheckedFlow; readonly row: RowRun; readonly nodes: readonly NodeRun[] };

/** Writes the case as a flow file, and reads, checks, prepares and runs it as any flow. */
export async function runCaseFlow(flow: CaseFlow, inputs: JsonObject): Promise<CaseRun> {
  const nodeTypes = new Map([[caseNodeType.name, caseNodeType]]);
  const connections = { find: () => undefined, names: () => [] };
  const checked = checkFlow(
    { path: 'flow.dag.yaml', text: flowText(flow, inputs) },
    { nodeTypes, files: noFiles, connections },
  );
  if (checked.plan === undefined) return { checked };
  const prepared = await prepareFlow(checked.plan, { nodeTypes, files: noFiles, connections });
  if (!prepared.ok) throw new Error(`the flow was not made ready: ${prepared.error.message}`);
  await using runnable = prepared.flow;
  return { checked, ...(await runnable.runRow(inputs)) };
}

const noFiles: FlowFiles = {
  folder: import.meta.dirname,
  read: () => undefined,
  resolve: () => undefined,
  list: () => [],
};

/** JSON is YAML. A case names no types: that of an input is the one of its value. */
function flowText(flow: CaseFlow, given: JsonObject): string {
  const inputs = Object.entries(flow.inputs).map(([name, input]) => [
    name,
    { type: typeName(given[name] ?? input['default'] ?? ''), ...input },
  ]);
  const outputs = Object.entries(flow.outputs).map(([name, reference]) => [name, { type: 'object', reference }]);
  const nodes = flow.nodes.map((node) => ({ type: caseNodeType.name, ...node }));
  const flowFile = { inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs), nodes };
  return stringifyJson(flowFile as unknown as JsonValue, 2);
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'double';
  if (value instanceof Float) return 'double';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'object';
}
