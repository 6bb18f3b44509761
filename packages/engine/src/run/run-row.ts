import type { NodeError } from '../node/node-error.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { type Coerced, coerceInputs } from './coerce-inputs.ts';
import type { CompiledPlan } from './compile-plan.ts';
import { loadImages } from './load-images.ts';
import type { PlanRun } from './plan-run.ts';
import type { RowOptions, RowResult } from './run-flow.ts';
import { runPlan } from './run-plan.ts';

const neverAborted = new AbortController().signal;

/** One row from given inputs to outputs. `line` is 0 where none is given. */
export async function runRow(
  compiled: CompiledPlan,
  given: JsonObject,
  options: RowOptions,
  now: () => number,
): Promise<RowResult> {
  const place = placeOf(options);
  const startedAt = now();
  const coerced = await readInputs(compiled, given, options.isAlone === true ? undefined : place.line);
  if (!coerced.ok) return failedBeforeStart(compiled, given, place, startedAt, coerced.error);
  const { runId = 'run', signal = neverAborted, ...row } = options;
  const run = await runPlan(compiled, coerced.inputs, { ...row, runId, ...place, signal, now });
  const shared = { ...place, inputs: coerced.inputs, outputs: run.outputs, startedAt, durationMs: now() - startedAt };
  return { row: { ...shared, ...rowStatus(compiled, run) }, nodes: allRecords(compiled, run.runs, place) };
}

async function readInputs(
  { plan, images }: CompiledPlan,
  given: JsonObject,
  line: number | undefined,
): Promise<Coerced> {
  // What is wrong in the inputs of code and prompties is told without the line.
  const coerced = coerceInputs(plan.inputs, given, plan.answersBy === undefined ? line : undefined);
  return coerced.ok && images !== undefined ? await loadImages(plan.inputs, coerced.inputs, images) : coerced;
}

type Place = Pick<RowRun, 'line' | 'repeat'>;

function placeOf({ line = 0, repeat = 0 }: RowOptions): Place {
  return repeat === 0 ? { line } : { line, repeat };
}

function rowStatus(compiled: CompiledPlan, run: PlanRun): Pick<RowRun, 'status' | 'error' | 'unfinished'> {
  if (run.canceled) return { status: 'Canceled', error: canceled };
  if (run.error !== undefined) return { status: 'Failed', error: run.error };
  const unfinished = unfinishedLoops(compiled, run.runs);
  return unfinished.length === 0 ? { status: 'Completed' } : { status: 'Completed', unfinished };
}

const canceled: NodeError = { code: 'Canceled', message: 'the run was stopped', retryable: true };

function unfinishedLoops(compiled: CompiledPlan, runs: PlanRun['runs']): readonly string[] {
  return compiled.plan.loops.flatMap(({ name, endNode }) => {
    // An agent in a loop that did not finish is that loop's matter.
    if (compiled.plan.nodes[endNode]?.instance?.ends !== undefined) return [];
    const output = runs[endNode]?.output;
    return isUnfinished(output) ? [name] : [];
  });
}

function isUnfinished(output: JsonValue | undefined): boolean {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return false;
  const { status, finalized } = output as { readonly status?: JsonValue; readonly finalized?: JsonValue };
  return status === 'unfinished' && finalized !== true;
}

function allRecords(compiled: CompiledPlan, runs: PlanRun['runs'], place: Place): readonly NodeRun[] {
  const records: NodeRun[] = [];
  for (const node of compiled.nodes) {
    if (node.plan.aggregation) continue;
    records.push(runs[node.id] ?? { ...place, node: node.name, kind: node.kind, status: 'NotRun' });
  }
  return records;
}

function failedBeforeStart(
  compiled: CompiledPlan,
  inputs: JsonObject,
  place: Place,
  startedAt: number,
  error: NodeError,
): RowResult {
  const row: RowRun = { ...place, status: 'Failed', inputs, outputs: {}, error, startedAt, durationMs: 0 };
  return { row, nodes: allRecords(compiled, [], place) };
}
