import {
  didYouMean,
  type JsonObject,
  type NodeRun,
  type PlanNode,
  type RowRun,
  type RunnableFlow,
  redactedRow,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { NodeOutcome } from '../host/run-outcome.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import { type RecordSettings, recordRun } from '../records/record-run.ts';
import { lockRun } from '../records/run-lock.ts';
import type { FoundFlow } from './find-flow.ts';
import { defaultNodeInputs, type NodeInputSources, nodeInputs, unknownNodeInputs } from './node-inputs.ts';

export interface SingleNodeSettings {
  readonly record: Pick<RecordSettings, 'id' | 'since' | 'durable'>;
  /** A recorded run whose first row gives the inputs that are not given. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs one node of a flow alone, with given inputs or those it had in a recorded run.
 *
 * @throws ProjectFailure when there is no such node, or an input is missing
 */
export async function runFlowNode(
  flow: RunnableFlow,
  found: FoundFlow,
  { node: name, inputs: given }: { readonly node: string; readonly inputs: NodeInputSources },
  { record: recorded, from, signal }: SingleNodeSettings,
  host: ProjectHost,
): Promise<NodeOutcome> {
  const node = findNode(flow, name);
  for (const message of unknownNodeInputs(node, { ...given.fromFile, ...given.fromPairs })) {
    notify(host, { kind: 'warning', message });
  }
  const before = from === undefined ? undefined : await recordedRow(name, from, host);
  const inputs = {
    ...defaultNodeInputs(node, flow.plan),
    ...before?.get(name)?.inputs,
    ...nodeInputs(node, flow.plan, given),
  };
  checkNodeInputs(node, inputs);
  const { id, file, path, store } = recordRun(flow, found, { ...recorded, options: { node: name } }, host);
  using _lock = lockRun(file, id);
  await using _store = store;
  const record = { id, file, path };
  host.report({ type: 'run-started', kind: 'node', plan: flow.plan, record });
  host.report({ type: 'row-started', line: 0 });
  host.report({ type: 'node-started', line: 0, node: name });
  const run = await flow.runNode(name, inputs, {
    runId: id,
    line: 0,
    ...(signal === undefined ? {} : { signal }),
    ...(before === undefined ? {} : { finished: before }),
  });
  const row = redactedRow(rowOf(run, run.inputs ?? {}), flow.redactor);
  await store.append([run], row);
  await store.ensureKept();
  host.report({ type: 'node-ended', line: 0, run });
  host.report({ type: 'row-ended', row });
  host.report({ type: 'rows-ended', stopped: false });
  const outcome: NodeOutcome = { kind: 'node', row, run, record };
  host.report({ type: 'run-ended', outcome });
  return outcome;
}

function findNode(flow: RunnableFlow, name: string): PlanNode {
  const node = flow.plan.nodes.find((candidate) => candidate.name === name);
  if (node !== undefined) return node;
  const names = flow.plan.nodes.map((candidate) => candidate.name);
  throw new ProjectFailure(`the flow has no node "${name}"`, {
    code: 'NodeNotFound',
    help: didYouMean(name, names) ?? `Its nodes: ${names.join(', ')}`,
  });
}

/** The row that the node's inputs are taken of: of prompts among them it tells which lines came from values. */
async function recordedRow(node: string, run: string, host: ProjectHost): Promise<ReadonlyMap<string, NodeRun>> {
  await using store = await openRecord(await findRun(run, host), host);
  const row = new Map((await store.nodes(0)).map((run) => [run.node, run]));
  const { inputs, redacted = [] } = row.get(node) ?? {};
  if (redacted.includes('inputs')) {
    throw new ProjectFailure(`in run ${store.info.id}, inputs of node "${node}" held a secret, which no record keeps`, {
      help: 'Give its inputs with --input name=value or --inputs FILE, without --from.',
    });
  }
  if (inputs !== undefined) return row;
  throw new ProjectFailure(`in run ${store.info.id}, node "${node}" did not run`);
}

function checkNodeInputs(node: PlanNode, given: JsonObject): void {
  const missing = node.inputs.filter(({ name, binding }) => binding.kind !== 'literal' && !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  throw new ProjectFailure(`node "${node.name}" needs ${missing.map(({ name }) => `"${name}"`).join(', ')}`, {
    code: 'InputNotFound',
    help: 'Give them with --input name=value or --inputs FILE, or take those of a run with --from latest.',
  });
}

function rowOf(run: NodeRun, inputs: JsonObject): RowRun {
  return {
    line: 0,
    status: run.status === 'Failed' || run.status === 'Canceled' ? run.status : 'Completed',
    inputs,
    outputs: run.output === undefined ? {} : { output: run.output },
    ...(run.error === undefined ? {} : { error: { ...run.error, node: run.node } }),
    startedAt: run.startedAt ?? 0,
    durationMs: run.durationMs ?? 0,
  };
}
