import type { NodeRun, ReadRow, RunInfo, Value, Values, WantedRecords } from '@unroll/engine';
import { retrievedSource } from '../eval-file/check-eval.ts';
import type { MetricSpec, Source } from '../eval-file/eval-spec.ts';
import { type FoundTarget, type FoundTurn, type Measurable, resolveTarget } from '../eval-file/resolve-target.ts';
import { readSteps } from '../eval-file/target.ts';
import type { Cost, PreparedEvaluator, Unscored } from '../evaluators/evaluator.ts';
import type { NodePrices, ScoreServices } from './score-services.ts';

/** A metric made ready for the rows of one run. */
export interface CompiledMetric {
  readonly spec: MetricSpec;
  readonly found: FoundTarget | undefined;
  readonly prepared: PreparedEvaluator;
  readonly expected: ReadSource | undefined;
  readonly reads: readonly (readonly [name: string, read: ReadSource])[];
  /** What of the records it reads. */
  readonly wanted: Required<WantedRecords>;
  readonly costOf: (row: ReadRow) => Cost;
}

/** A source's value for one row; undefined where there is none. */
export type ReadSource = (row: ReadRow, columns: Values) => Value | undefined;

/** @throws Error when a name is not in the run: `checkEval` finds these before */
export function compileMetric(
  spec: MetricSpec,
  info: RunInfo,
  measurable: Measurable,
  services: ScoreServices,
): CompiledMetric {
  const { on, evaluator, parameters } = spec;
  const found = on === undefined ? undefined : foundOrBug(resolveTarget(on, measurable));
  const hasExpected = spec.expected !== undefined;
  const sources = evaluator.reads.flatMap(({ name, implied }) => {
    const source = spec.reads[name] ?? (implied === undefined ? undefined : retrievedSource(measurable));
    return source === undefined ? [] : [[name, source] as const];
  });
  const targets = [spec.expected, ...sources.map(([, source]) => source)].flatMap((source) =>
    targetsIn(source, measurable),
  );
  const isCost = evaluator.measures === 'cost';
  const mayBeCached = info.options?.['since'] !== undefined;
  const all = measurable.nodes.map(({ name }) => name);
  return {
    spec,
    found,
    prepared: evaluator.prepare(parameters, services, hasExpected),
    expected: spec.expected === undefined ? undefined : readerOf(spec.expected, measurable),
    reads: sources.map(([name, source]) => [name, readerOf(source, measurable)] as const),
    wanted: {
      nodes: [
        ...new Set([
          ...nodesOf(found),
          ...targets.flatMap(nodesOf),
          ...(isCost && found === undefined && mayBeCached ? all : []),
        ]),
      ],
      values: [found, ...targets].some((target) => target?.kind === 'outputs' || target?.kind === 'inputs'),
      ends: isCost && found === undefined,
    },
    costOf: isCost ? (row) => costOf(row, found, services.priceOf) : () => noCost,
  };
}

const noCost: Cost = { isCached: false };

function foundOrBug(found: ReturnType<typeof resolveTarget>): FoundTarget {
  if ('unknown' in found) throw new Error(`bug: the run has no ${found.kind} ${found.unknown}`);
  return found;
}

function nodesOf(found: FoundTarget | undefined): readonly string[] {
  if (found?.kind === 'node') return [found.node];
  return found?.kind === 'family' ? found.turns.map(({ node }) => node) : [];
}

function targetsIn(source: Source | undefined, measurable: Measurable): readonly FoundTarget[] {
  if (source?.from === 'list') return source.members.flatMap((member) => targetsIn(member, measurable));
  return source?.from === 'target' ? [foundOrBug(resolveTarget(source.target, measurable))] : [];
}

function readerOf(source: Source, measurable: Measurable): ReadSource {
  if (source.from === 'literal') return () => source.value;
  if (source.from === 'column') return (_row, columns) => readSteps(columns, source.steps);
  if (source.from === 'list') {
    const readers = source.members.map((member) => readerOf(member, measurable));
    return (row, columns) => readers.map((read) => read(row, columns) ?? null);
  }
  const found = foundOrBug(resolveTarget(source.target, measurable));
  return (row) => readFound(row, found);
}

function readFound(row: ReadRow, found: FoundTarget): Value | undefined {
  if (found.kind === 'node') return outputAt(row.records.get(found.node), found);
  if (found.kind === 'family') {
    return found.turns.flatMap(({ node }) => outputAt(row.records.get(node), found) ?? []);
  }
  const value = row[found.kind]?.[found.name];
  return value === undefined ? undefined : readSteps(value, found.steps);
}

function outputAt(run: NodeRun | undefined, { steps }: Pick<FoundTarget, 'steps'>): Value | undefined {
  return run?.status === 'Completed' && run.output !== undefined ? readSteps(run.output, steps) : undefined;
}

/** Why a node's record has nothing to measure; undefined where it has. */
export function whyUnread(run: NodeRun | undefined): Unscored | undefined {
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
  row: ReadRow,
  turns: readonly FoundTurn[],
): { readonly ran: readonly (FoundTurn & { readonly run: NodeRun })[]; readonly broken: Unscored | undefined } {
  const ran: (FoundTurn & { readonly run: NodeRun })[] = [];
  let broken: Unscored | undefined;
  for (const turn of turns) {
    const run = row.records.get(turn.node);
    const why = whyUnread(run);
    if (why === undefined && run !== undefined) ran.push({ ...turn, run });
    else if (why?.isError === true) broken ??= why;
  }
  return { ran, broken };
}

function costOf(row: ReadRow, found: FoundTarget | undefined, priceOf: NodePrices = () => undefined): Cost {
  const runs = found === undefined ? row.nodes : nodesOf(found).flatMap((name) => endOf(row.records.get(name)) ?? []);
  const used = runs.filter(({ usage }) => usage !== undefined);
  const usage = used.reduce(
    (sum, { usage: own }) => ({
      promptTokens: sum.promptTokens + (own?.promptTokens ?? 0),
      completionTokens: sum.completionTokens + (own?.completionTokens ?? 0),
      totalTokens: sum.totalTokens + (own?.totalTokens ?? 0),
    }),
    { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
  );
  const prices = used.map(({ node, usage: own }) => (own === undefined ? undefined : priceOf(node, own)));
  const isPriced = prices.every((price) => price !== undefined);
  const times = runs.flatMap(({ durationMs }) => durationMs ?? []);
  const durationMs = found === undefined ? row.durationMs : times.reduce((sum, time) => sum + time, 0);
  return {
    ...(found === undefined || times.length > 0 ? { durationMs } : {}),
    ...(used.length === 0 ? {} : { usage }),
    ...(isPriced && used.length > 0 ? { dollars: prices.reduce((sum, price) => sum + price, 0) } : {}),
    isCached: [...row.records.values()].some(({ node, cache }) => cache === 'hit' && isMeasured(node, found)),
  };
}

function isMeasured(node: string, found: FoundTarget | undefined): boolean {
  return found === undefined || nodesOf(found).includes(node);
}

function endOf(run: NodeRun | undefined): Pick<NodeRun, 'node' | 'usage' | 'durationMs'> | undefined {
  return run?.status === 'Completed' ? run : undefined;
}
