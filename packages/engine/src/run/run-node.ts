import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject } from '../value/json.ts';
import { type ImageSources, loadNodeImages } from './load-images.ts';
import { RowSoFar } from './row-so-far.ts';
import type { RowOptions } from './run-flow.ts';

export interface PreparedFlow {
  readonly plan: Plan;
  readonly prepared: readonly PreparedNode[];
  readonly sources: ImageSources;
  readonly now: () => number;
}

/** Runs one node alone; its record tells what came of it. */
export async function runNode(
  { plan, prepared, sources, now }: PreparedFlow,
  name: string,
  inputs: JsonObject,
  row: RowOptions,
): Promise<NodeRun> {
  const node = plan.nodes.find((candidate) => candidate.name === name);
  if (node === undefined) throw new Error(`bug: the flow has no node ${name}`);
  const alone = prepared[node.id];
  if (alone === undefined) throw new Error(`bug: node ${name} was not prepared`);
  const line = row.line ?? 0;
  const startedAt = now();
  const call = {
    runId: row.runId ?? 'run',
    line,
    node: name,
    signal: row.signal ?? new AbortController().signal,
    flowInputs: inputs,
    row: new RowSoFar((other) => row.finished?.get(other), undefined, now),
    ...(row.redactor === undefined ? {} : { redactor: row.redactor }),
  };
  const loaded = await loadNodeImages(node, plan, inputs, sources);
  const outcome: NodeOutcome = loaded.ok
    ? await alone.run(withLiteralInputs(node, alone, loaded.inputs), call)
    : { ok: false, error: loaded.error };
  const durationMs = now() - startedAt;
  const shared = { line, node: name, kind: node.definition.type, inputs, startedAt, durationMs, ...outcome.report };
  if (outcome.ok) return { ...shared, status: 'Completed', output: outcome.output };
  return { ...shared, status: outcome.canceled === true ? 'Canceled' : 'Failed', error: outcome.error };
}

function withLiteralInputs(node: PlanNode, prepared: PreparedNode, given: JsonObject): JsonObject {
  const written = node.inputs.flatMap(({ name, binding }) =>
    binding.kind === 'literal' ? [[name, binding.value]] : [],
  );
  return { ...(prepared.literals ?? Object.fromEntries(written)), ...given };
}
