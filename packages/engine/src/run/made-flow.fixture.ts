import type { ConnectionSource } from '../node/connection-source.ts';
import type { FlowFiles, NodeOutcome, NodeType, PreparedNode } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { prepareFlow } from './prepare-flow.ts';
import type { PrepareOptions } from './prepare-options.ts';
import type { RunnableFlow } from './run-flow.ts';

/** What a node of a test does; its output is its name where nothing is said. */
type Behaviour = Partial<Omit<PreparedNode, 'run'>> & {
  readonly run?: PreparedNode['run'];
  readonly output?: JsonValue | ((inputs: JsonObject) => JsonValue);
};
export type Behaviours = Readonly<Record<string, Behaviour>>;

export const noFiles: FlowFiles = {
  folder: '/',
  read: (path) => ({ path, text: '' }),
  resolve: (path) => path,
  list: () => [],
};
export const noConnections: ConnectionSource = { find: () => undefined, names: () => [] };

/** `pure` nodes only compute, `model` nodes ask somebody, `python` nodes may write. */
export function madeTypes(behaviours: Behaviours = {}): ReadonlyMap<string, NodeType> {
  const types = [madeType('python', 'writes'), madeType('pure', 'pure'), madeType('model', 'reads')];
  return new Map(types.map((type) => [type.name, type]));

  function madeType(name: string, effects: NodeType['effects']): NodeType {
    return {
      name,
      version: 1,
      effects,
      keys: ['cache'],
      inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
      prepare: async (definition) => {
        const { output = definition.name, ...own } = behaviours[definition.name] ?? {};
        const run = (inputs: JsonObject): NodeOutcome => ({
          ok: true,
          output: typeof output === 'function' ? output(inputs) : output,
        });
        return { parametersWithDefault: new Set(), parts: () => ({ code: definition.name }), run, ...own };
      },
    };
  }
}

/** A flow of these nodes, each written as a line of YAML, with the input `q` and the last node's output as `o`. */
export async function madeFlow(
  nodes: readonly string[],
  behaviours: Behaviours = {},
  options: Partial<PrepareOptions> = {},
): Promise<RunnableFlow> {
  const written = nodes.map((node) => `  - {${node}, source: {type: code, path: x.ts}}\n`).join('');
  const last = /name: (\w+)/.exec(nodes.at(-1) ?? '')?.[1];
  const head = `inputs: {q: {type: string, default: x}}\noutputs: {o: {type: string, reference: "\${${last}.output}"}}\n`;
  return writtenFlow(`${head}nodes:\n${written}`, behaviours, options);
}

/** @param text of the whole flow */
export function writtenFlow(
  text: string,
  behaviours: Behaviours = {},
  options: Partial<PrepareOptions> = {},
): Promise<RunnableFlow> {
  return readyFlow(text, madeTypes(behaviours), options);
}

/** The same with types of nodes that are not those made here. */
export async function readyFlow(
  text: string,
  nodeTypes: PrepareOptions['nodeTypes'],
  options: Partial<PrepareOptions> = {},
): Promise<RunnableFlow> {
  const checks = { nodeTypes, files: noFiles, connections: noConnections, now: () => 0, ...options };
  const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, checks);
  if (plan === undefined) throw new Error(`bug: ${diagnostics.map(({ message }) => message).join('; ')}`);
  const prepared = await prepareFlow(plan, checks);
  if (!prepared.ok) throw new Error(`bug: ${prepared.error.message}`);
  return prepared.flow;
}

/** A finished run of these records, each in the row it names. */
export function madeRun(records: readonly NodeRun[], nodeReads: EarlierRun['nodeReads'] = {}): EarlierRun {
  return {
    runId: 'earlier',
    nodeReads,
    hasNode: (node) => records.some((record) => record.node === node),
    at: async ({ node, line }) => records.find((record) => record.node === node && record.line === line),
    find: async (fingerprint) => records.find((record) => record.fingerprint === fingerprint),
  };
}
