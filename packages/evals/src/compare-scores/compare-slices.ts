import type { Baseline } from '../baseline/baseline.ts';
import type { EvalResult, Slice, SliceMetric } from '../eval-result/eval-result.ts';
import { type ComparisonOptions, type TestedMetric, testMetric } from './compare-metric.ts';
import { judgeTogether } from './judge-together.ts';
import type { RowPlaces } from './pair-rows.ts';

interface PairedWith {
  readonly pairs: readonly RowPlaces[];
  readonly options: ComparisonOptions;
}

/**
 * Compares each metric within each slice, rows being in the slice of their value now. Many slices are many tests: their p
 * values are adjusted together, over all columns, and their intervals are as wide as that asks for.
 */
export function compareSlices(
  { slices, metrics }: EvalResult,
  before: Baseline,
  after: Baseline,
  { pairs, options }: PairedWith,
): Pick<EvalResult, 'slices'> {
  if (slices === undefined) return {};
  const kept = [before, after].map((one) => new Map(one.metrics.map((metric) => [metric.name, metric])));
  const test = (name: string, rows: readonly RowPlaces[]): TestedMetric | undefined => {
    const [was, is] = kept.map((ofName) => ofName.get(name));
    return was === undefined || was.kind !== is?.kind ? undefined : testMetric(was, is, rows, options);
  };
  const all = slices.flatMap((column) => column.slices);
  const tests = all.flatMap((slice) => {
    const rows = rowsOf(slice, pairs);
    return slice.metrics.map(({ name }) => test(name, rows));
  });
  const compared = all.flatMap((slice) => slice.metrics);
  const betterOf = new Map(metrics.map(({ name, better }) => [name, better]));
  const judged = judgeTogether(
    tests,
    compared.map(({ name }) => ({ better: betterOf.get(name) ?? 'higher' })),
  );
  const comparisonOf = new Map(compared.map((metric, at) => [metric, judged[at]]));
  const told = (metric: SliceMetric): SliceMetric => {
    const comparison = comparisonOf.get(metric);
    return { ...metric, ...(comparison === undefined ? {} : { comparison }) };
  };
  return {
    slices: slices.map((column) => ({
      ...column,
      slices: column.slices.map((slice) => ({ ...slice, metrics: slice.metrics.map(told) })),
    })),
  };
}

function rowsOf({ lines }: Slice, pairs: readonly RowPlaces[]): readonly RowPlaces[] {
  const own = new Set(lines);
  return pairs.filter(({ line }) => own.has(line));
}
