import {
  addUsage,
  type JsonObject,
  type JsonValue,
  loopShapes,
  type ReadRecord,
  type RecordProjection,
  type RowView,
  type RunInfo,
  type Usage,
} from '@unroll/engine';
import { retrievedSource } from '../eval-file/check-eval.ts';
import type { MetricSpec, Source } from '../eval-file/eval-spec.ts';
import { type FoundTarget, type FoundTurn, type Measurable, resolveTarget } from '../eval-file/resolve-target.ts';
import type { Cost, PreparedEvaluator, Unscored } from '../evaluators/evaluator.ts';
import { withLoopNodes } from '../targets/loop-nodes.ts';
import { OutputReader, readSteps, type Step } from '../targets/target.ts';
import type { NodePrices, ScoreServices } from './score-services.ts';

/** A metric made ready for the rows of one run. */
export interface CompiledMetric {
  readonly spec: MetricSpec;
  readonly found: FoundTarget | undefined;
  /** Of the turns of a family. */
  readonly reader: OutputReader;
  /** What stands at `on`, where that is no family. */
  readonly readValue: (row: RowView) => JsonValue | undefined;
  readonly prepared: PreparedEvaluator;
  readonly expected: ReadSource | undefined;
  readonly reads: readonly (readonly [name: string, read: ReadSource])[];
  /** What of the records it reads. */
  readonly wanted: Required<Pick<RecordProjection, 'nodes' | 'ends'>>;
  readonly costOf: (row: RowView) => Cost;
  /** Milliseconds that what it measures took in a row. */
  readonly tookOf: (row: RowView) => number;
}

/** A source's value for one row; undefined where there is none. */
type ReadSource = (row: RowView, columns: JsonObject) => JsonValue | undefined;

/** A metric is of something that the run has not. */
export class NotInRun extends Error {}

/** @throws NotInRun when a name is not in the run: of the run that is evaluated `checkEval` finds these before */
export function compileMetric(
  spec: MetricSpec,
  info: RunInfo,
  measurable: Measurable,
  services: ScoreServices,
): CompiledMetric {
  const { on, evaluator, parameters } = spec;
  const found = on === undefined ? undefined : foundIn(resolveTarget(on, measurable));
  const hasExpected = spec.expected !== undefined;
  const sources = evaluator.reads.flatMap(({ name, implied }) => {
    const source = spec.reads[name] ?? (implied === undefined ? undefined : retrievedSource(measurable));
    return source === undefined ? [] : [[name, source] as const];
  });
  const targets = [spec.expected, ...sources.map(([, source]) => source)].flatMap((source) =>
    targetsIn(source, measurable),
  );
  const isCost = evaluator.measures === 'cost';
  const measured =
    found === undefined
      ? measurable.nodes.flatMap(({ name, aggregation }) => (aggregation ? [] : [name]))
      : withLoopNodes(nodesOf(found), measurable.nodes);
  // Whether an output was taken from an earlier run stands in the record itself.
  const cached = info.options?.['since'] === undefined ? [] : measured;
  return {
    spec,
    found,
    reader: new OutputReader(found?.steps ?? []),
    readValue: found === undefined ? () => undefined : valueReader(found),
    prepared: evaluator.prepare(
      { ...endOf(found, spec, info), ...parameters },
      services,
      hasExpected,
      JSON.stringify([spec.on?.text, spec.reads]),
    ),
    expected: spec.expected === undefined ? undefined : readerOf(spec.expected, measurable),
    reads: sources.map(([name, source]) => [name, readerOf(source, measurable)] as const),
    wanted: {
      nodes: [...new Set([...(isCost ? [...cached, ...measured] : nodesOf(found)), ...targets.flatMap(nodesOf)])],
      ends: isCost ? measured : nodesOf(found),
    },
    tookOf: tookReader(nodesOf(found)),
    costOf: isCost ? costReader(found === undefined ? undefined : measured, cached, services.priceOf) : () => noCost,
  };
}

/** What ends the loop whose end is asked for. */
function endOf(found: FoundTarget | undefined, { evaluator }: MetricSpec, { nodes }: RunInfo): { until?: string } {
  if (evaluator.name !== 'finished_at' || found?.kind !== 'family') return {};
  const shape = loopShapes(nodes).find(({ stateFamily }) => stateFamily === found.family);
  return shape === undefined ? {} : { until: shape.until };
}

const noCost: Cost = { isCached: false };

function foundIn(found: ReturnType<typeof resolveTarget>): FoundTarget {
  if ('unknown' in found) throw new NotInRun(`it has no ${found.kind} ${found.unknown}`);
  return found;
}

function nodesOf(found: FoundTarget | undefined): readonly string[] {
  if (found?.kind === 'node') return [found.node];
  return found?.kind === 'family' ? found.turns.map(({ node }) => node) : [];
}

function targetsIn(source: Source | undefined, measurable: Measurable): readonly FoundTarget[] {
  if (source?.from === 'list') return source.members.flatMap((member) => targetsIn(member, measurable));
  if (source?.from === 'mapping') return Object.values(source.members).flatMap((one) => targetsIn(one, measurable));
  return source?.from === 'target' ? [foundIn(resolveTarget(source.target, measurable))] : [];
}

function readerOf(source: Source, measurable: Measurable): ReadSource {
  if (source.from === 'literal') return () => source.value;
  if (source.from === 'column') return (_row, columns) => readSteps(columns, source.steps);
  if (source.from === 'list') {
    const readers = source.members.map((member) => readerOf(member, measurable));
    return (row, columns) => readers.map((read) => read(row, columns) ?? null);
  }
  if (source.from === 'mapping') {
    const readers = Object.entries(source.members).map(([name, one]) => [name, readerOf(one, measurable)] as const);
    return (row, columns) => Object.fromEntries(readers.map(([name, read]) => [name, read(row, columns) ?? null]));
  }
  const found = foundIn(resolveTarget(source.target, measurable));
  return valueReader(found);
}

/** Of a family the values of the turns that completed. */
function valueReader(found: FoundTarget): (row: RowView) => JsonValue | undefined {
  const reader = new OutputReader(found.steps);
  if (found.kind === 'node') return (row) => outputOf(row.records.get(found.node), reader);
  if (found.kind === 'family') {
    return (row) => found.turns.flatMap(({ node }) => outputOf(row.records.get(node), reader) ?? []);
  }
  const steps: readonly Step[] = [{ kind: 'key', name: found.name }, ...found.steps];
  if (found.kind === 'inputs') return (row) => readSteps(row.inputs, steps);
  const ofRow = new OutputReader(steps);
  return (row) => ofRow.value(row.outputs);
}

function outputOf(run: ReadRecord | undefined, reader: OutputReader): JsonValue | undefined {
  return run?.status === 'Completed' && run.output !== undefined ? reader.value(run.output) : undefined;
}

/** Why a node's record has nothing to measure; undefined where it has. */
export function whyUnread(run: Pick<ReadRecord, 'status'> | undefined): Unscored | undefined {
  switch (run?.status) {
    case 'Completed':
      return undefined;
    case 'Bypassed':
      return { unscored: 'node bypassed' };
    case 'Failed':
    case 'Canceled':
      return { unscored: 'node failed', isError: true };
    case 'NotRun':
      return { unscored: 'node not run', isError: true };
    default:
      return { unscored: 'node not recorded', isError: true };
  }
}

/** Turns that ran; of a family that has none, why. */
export function turnsThatRan(
  row: RowView,
  turns: readonly FoundTurn[],
): { readonly ran: readonly (FoundTurn & { readonly run: ReadRecord })[]; readonly broken: Unscored | undefined } {
  const ran: (FoundTurn & { readonly run: ReadRecord })[] = [];
  let broken: Unscored | undefined;
  for (const turn of turns) {
    const run = row.records.get(turn.node);
    const why = whyUnread(run);
    if (why === undefined && run !== undefined) ran.push({ ...turn, run });
    else if (why?.isError === true) broken ??= why;
  }
  return { ran, broken };
}

/**
 * @param names of what is measured; the row as a whole where absent
 * @param cached of nodes that may have been taken from an earlier run
 */
function costReader(
  names: readonly string[] | undefined,
  cached: readonly string[],
  priceOf: NodePrices = () => undefined,
): CompiledMetric['costOf'] {
  return (row) => {
    const ends = names === undefined ? row.nodes : row.nodes.filter(({ node }) => names.includes(node));
    return {
      ...spent(ends, priceOf),
      durationMs: names === undefined ? row.durationMs : ends.reduce((sum, end) => sum + (end.durationMs ?? 0), 0),
      isCached: cached.some((node) => row.records.get(node)?.cache === 'hit'),
    };
  };
}

/** @param nodes the row as a whole where there is none */
function tookReader(nodes: readonly string[]): CompiledMetric['tookOf'] {
  if (nodes.length === 0) return ({ durationMs }) => durationMs;
  return (row) => {
    let sum = 0;
    for (const end of row.nodes) if (nodes.includes(end.node)) sum += end.durationMs ?? 0;
    return sum;
  };
}

function spent(ends: RowView['nodes'], priceOf: NodePrices): Pick<Cost, 'usage' | 'dollars'> {
  let sum: Usage | undefined;
  let [dollars, isPriced] = [0, true];
  for (const { node, usage } of ends) {
    if (usage === undefined) continue;
    sum = addUsage(sum, usage);
    const price = priceOf(node, usage);
    isPriced &&= price !== undefined;
    dollars += price ?? 0;
  }
  if (sum === undefined) return {};
  return isPriced ? { usage: sum, dollars } : { usage: sum };
}
