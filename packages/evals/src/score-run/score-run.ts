import { eachOf, type RecordProjection, type RowView, type RunInfo, type RunReader } from '@unroll/engine';
import type { EvalSpec } from '../eval-file/eval-spec.ts';
import { measurableIn } from '../eval-file/resolve-target.ts';
import type { EvalResult, MetricResult, RowTotals, RunMade } from '../eval-result/eval-result.ts';
import type { Unscored } from '../evaluators/evaluator.ts';
import { type FailedRow, type FailureOriginInput, failureOrigins } from '../first-bad/failure-origin.ts';
import { compileMetric } from './compile-metric.ts';
import { derivedMetric, derivedRange } from './derived-metric.ts';
import type { DataJoin, RowColumns } from './join-data.ts';
import { LoopScoring } from './loop-scoring.ts';
import { MetricScoring } from './metric-scoring.ts';
import { RowNames } from './row-names.ts';
import type { ScoreServices } from './score-services.ts';
import { type ScoreRanges, SliceRows } from './slice-rows.ts';

export interface ScoreRunOptions extends ScoreServices {
  /** Name of the evaluation. */
  readonly name: string;
  /** The rows of the data; the run's own inputs are the rows where absent. */
  readonly data?: DataJoin;
  /** The record as a person would type it. */
  readonly path?: string;
}

/** Scores that are still being worked out, of evaluators that ask a service. */
const maxPending = 256;

/**
 * Scores a recorded run: each row once, in order, reading only what the metrics need. Reads records; never runs the flow.
 */
export async function scoreRun(
  spec: EvalSpec,
  store: Pick<RunReader, 'info' | 'readRows' | 'tokens'>,
  options: ScoreRunOptions,
): Promise<EvalResult> {
  const { info } = store;
  const measurable = measurableIn(info);
  const own = spec.metrics.filter(({ evaluator }) => evaluator.measures !== 'metric');
  const metrics = own.map((metric) => new MetricScoring(compileMetric(metric, info, measurable, options)));
  const compiled = metrics.map((metric) => metric.compiled);
  const loops = new LoopScoring(info, compiled, options.priceOf);
  const failed: FailedRow[] = [];
  const totals = { total: 0, completed: 0, failed: 0, unfinished: 0, repeats: 1 };
  const pending: Promise<void>[] = [];
  const span = new TimeSpan();
  const names = new RowNames(spec.key);
  const sliced = new SliceRows(spec.slices);
  for await (const row of eachOf(store.readRows(wantedBy(metrics, loops)))) {
    count(totals, row);
    span.take(row);
    const columns = columnsOf(row, options.data);
    const found = columns instanceof Promise ? await columns : columns;
    scoreRow(metrics, row, found, pending);
    const known = 'missing' in found ? undefined : found.columns;
    names.take(row, known);
    sliced.take(row.line, known);
    loops.take(row, known);
    if (row.status !== 'Completed') failed.push(failedRow(row));
    if (pending.length >= maxPending) await Promise.all(pending.splice(0));
  }
  await Promise.all(pending);
  const { planned = totals.total } = plannedRows(info, totals.total);
  for (const metric of metrics) metric.leaveOutNotRun(planned - totals.total);
  await options.judges?.settle();
  const results = withDerived(
    spec,
    metrics.map((metric) => metric.result()),
  );
  return {
    version: 1,
    name: options.name,
    run: scoredRun(info, await store.tokens(), { path: options.path, durationMs: span.durationMs() }),
    rows: { ...totals, ...plannedRows(info, totals.total) },
    metrics: results,
    firstBad: failureOrigins({ nodes: info.nodes, metrics: results, failed, detail: detailOf(metrics) }),
    families: loops.results(results),
    ...names.result(),
    ...sliced.result(results, rangesOf(spec, metrics)),
  };
}

/** In the order of the file. */
function withDerived(spec: EvalSpec, results: readonly MetricResult[]): readonly MetricResult[] {
  const left = [...results];
  return spec.metrics.map((metric) => {
    const result = metric.evaluator.measures === 'metric' ? undefined : left.shift();
    return result ?? derivedMetric(metric, results);
  });
}

function rangesOf(spec: EvalSpec, metrics: readonly MetricScoring[]): ScoreRanges {
  const own = metrics.flatMap((metric) => {
    const found = metric.rowRange();
    return found === undefined ? [] : [[metric.compiled.spec.name, found.range] as const];
  });
  const derived = spec.metrics.filter(({ evaluator }) => evaluator.measures === 'metric');
  return new Map([...own, ...derived.map(({ name }) => [name, derivedRange] as const)]);
}

function columnsOf(row: RowView, data: DataJoin | undefined): Promise<RowColumns> | RowColumns {
  return data === undefined ? { columns: row.inputs } : data.columnsOf(row);
}

function scoreRow(metrics: readonly MetricScoring[], row: RowView, found: RowColumns, pending: Promise<void>[]): void {
  for (const metric of metrics) {
    if ('missing' in found) metric.leaveOut({ unscored: found.missing, isError: true, ...why(found) }, row);
    else metric.score(row, found.columns, pending);
  }
}

function why({ said }: { readonly said?: string }): Pick<Unscored, 'said'> {
  return said === undefined ? {} : { said };
}

function failedRow({ line, repeat, error }: RowView): FailedRow {
  const reason = error === undefined ? 'stopped' : `${error.code}: ${error.message}`;
  return { line, repeat, reason, ...(error?.node === undefined ? {} : { node: error.node }) };
}

function detailOf(metrics: readonly MetricScoring[]): NonNullable<FailureOriginInput['detail']> {
  return ({ line, repeat, kind }) =>
    metrics.find(({ compiled }) => compiled.spec.name === kind)?.failure(line, repeat) ?? {};
}

function wantedBy(metrics: readonly MetricScoring[], loops: LoopScoring): RecordProjection {
  const wanted = metrics.map(({ compiled }) => compiled.wanted);
  return {
    nodes: [...new Set([...wanted.flatMap(({ nodes }) => nodes), ...loops.nodes])],
    ends: [...new Set([...wanted.flatMap(({ ends }) => ends), ...loops.ends])],
  };
}

function plannedRows({ data }: RunInfo, total: number): Pick<RowTotals, 'planned'> {
  return data?.total === undefined || data.total <= total ? {} : { planned: data.total };
}

function count(totals: { -readonly [Key in keyof Omit<RowTotals, 'planned'>]: number }, row: RowView): void {
  totals.total += 1;
  if (row.status === 'Completed') totals.completed += 1;
  else totals.failed += 1;
  if (row.isUnfinished) totals.unfinished += 1;
  totals.repeats = Math.max(totals.repeats, row.repeat + 1);
}

type Tokens = Required<EvalResult['run']>['usage'];

/** From the first row's start to the last one's end. */
class TimeSpan {
  private start = Number.POSITIVE_INFINITY;
  private end = Number.NEGATIVE_INFINITY;

  take({ startedAt, durationMs }: RowView): void {
    this.start = Math.min(this.start, startedAt);
    this.end = Math.max(this.end, startedAt + durationMs);
  }

  /** undefined without rows. */
  durationMs(): number | undefined {
    return this.end < this.start ? undefined : Math.round(this.end - this.start);
  }
}

function scoredRun(
  info: RunInfo,
  usage: Tokens,
  { path, durationMs }: { readonly path: string | undefined; readonly durationMs: number | undefined },
): EvalResult['run'] {
  return {
    id: info.id,
    ...(path === undefined ? {} : { path }),
    flow: info.flowName,
    startedAt: info.startedAt,
    ...(durationMs === undefined ? {} : { durationMs }),
    made: madeOf(info),
    ...(usage.promptTokens + usage.completionTokens === 0 ? {} : { usage }),
  };
}

function madeOf({ flowDigest, nodes, outputs, nodeDefinitions, nodeReads, data, madeWith }: RunInfo): RunMade {
  return {
    flowDigest,
    nodes,
    ...(outputs === undefined ? {} : { outputs }),
    ...(nodeDefinitions === undefined ? {} : { nodeDefinitions }),
    ...(nodeReads === undefined ? {} : { nodeReads }),
    ...(data === undefined ? {} : { data }),
    ...(madeWith === undefined ? {} : { madeWith }),
  };
}
