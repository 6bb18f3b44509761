import { type Baseline, baselineOf, blamedRows, type EvalResult, type MetricResult, pairRows } from '@unroll/evals';
import type { RowIndex } from '../row-index/row-index.ts';
import { noMarks, type RowMarks, type ScoreColumn } from '../row-index/row-scores.ts';
import type { ScoredRecord } from './evaluations.ts';
import type { RunLabels } from './row-labels.ts';

/** What an evaluation and people say of each row of an index. */
export function rowMarks(index: RowIndex, scored: ScoredRecord | undefined, given: RunLabels): RowMarks {
  const labels = new Map([...given].map(([name, ofRows]) => [name, placed(ofRows, index)] as const));
  if (scored === undefined) return { ...noMarks, labels };
  const { result, before } = scored;
  const was = before === undefined ? undefined : scoresBefore(result, before);
  const scores = result.metrics.map(
    (metric) => [metric.name, scoreColumn(metric, index, was?.get(metric.name))] as const,
  );
  return { scores: new Map(scores), firstBad: firstBadOf(index, result), labels };
}

function placed<Value>(ofRows: ReadonlyMap<string, Value>, index: RowIndex): ReadonlyMap<number, Value> {
  const known = [...ofRows].flatMap(([place, value]) => {
    const [line, repeat] = place.split('/').map(Number);
    const at = index.find(line ?? -1, repeat ?? 0);
    return at === undefined ? [] : [[at, value] as const];
  });
  return new Map(known);
}

function scoreColumn(
  { kind, better, scores }: MetricResult,
  index: RowIndex,
  before: ReadonlyMap<number, number> | undefined,
): ScoreColumn {
  const values = new Float64Array(index.size).fill(Number.NaN);
  const counts = new Int32Array(index.size);
  for (const [at, value] of scores.values.entries()) {
    const place = index.find(scores.lines[at] ?? -1, scores.repeats[at] ?? 0);
    if (place === undefined) continue;
    const count = (counts[place] ?? 0) + 1;
    counts[place] = count;
    const sum = count === 1 ? 0 : (values[place] ?? 0) * (count - 1);
    values[place] = (sum + value) / count;
  }
  if (before === undefined) return { kind, better, values };
  const was = Float64Array.from(index.lines, (line) => before.get(line) ?? Number.NaN);
  return { kind, better, values, before: was };
}

/** Scores that rows had before, by metric, then by their line now. */
function scoresBefore(
  result: EvalResult,
  before: EvalResult | Baseline,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const one = 'rows' in before ? baselineOf(before) : before;
  const { pairs } = pairRows(one, baselineOf(result));
  const ofMetric = one.metrics.map(({ name, scores }) => {
    const byLine = pairs.flatMap(({ before: place, line }) => {
      const score = scores[place];
      return score === null || score === undefined ? [] : [[line, score] as const];
    });
    return [name, new Map(byLine)] as const;
  });
  return new Map(ofMetric);
}

function firstBadOf(index: RowIndex, result: EvalResult): ReadonlyMap<number, string> {
  const failed = [...index.lines.keys()].flatMap((at) => {
    if (index.statuses[at] === 'Completed') return [];
    const node = [...index.nodes].find(([, { statuses }]) => statuses[at] === 'Failed')?.[0];
    const place = { line: index.lines[at] ?? 0, repeat: index.repeats[at] ?? 0, reason: '' };
    return [{ ...place, ...(node === undefined ? {} : { node }) }];
  });
  const blames = blamedRows({ nodes: result.run.made?.nodes ?? [], metrics: result.metrics, failed });
  return new Map(
    blames.flatMap(({ line, repeat, node }) => {
      const at = index.find(line, repeat);
      return at === undefined ? [] : [[at, node] as const];
    }),
  );
}
