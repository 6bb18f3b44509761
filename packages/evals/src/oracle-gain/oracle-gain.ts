import type { Interval95, MetricResult } from '../eval-result/eval-result.ts';
import { pairedDifference, type ScoredPair } from '../statistics/paired-difference.ts';

/** What an end score gains where a node gives what it should have given. */
export interface OracleGain {
  /** Node, or family of a loop (`function[*]`), whose output was given. */
  readonly node: string;
  readonly metric: string;
  /** Rows in which it was given. */
  readonly given: number;
  /** Means over the rows scored in both runs; the others count as they were. null where there are none. */
  readonly before: number | null;
  readonly after: number | null;
  /** How much better, in units of the metric: above 0 is better, also where less is. */
  readonly gain: number;
  readonly interval?: Interval95;
  /** Of the test that gives the interval (`pairedTest`). */
  readonly pValue: number;
  /** Just where the interval excludes 0. */
  readonly isSignificant: boolean;
  /** Rows in which it was given and that have no score then: the run failed there. */
  readonly lost: number;
  /** Rows that have a score only where it was given: most of them failed before, and are in no mean. */
  readonly found: number;
}

/**
 * The gain of an end score over all rows that were scored before: rows in which nothing was given score as they did.
 *
 * @param before metric of the run as it was
 * @param after the same metric over the rows in which the output was given
 * @param given lines of these rows
 */
export function oracleGain(
  node: string,
  before: MetricResult,
  after: MetricResult,
  given: ReadonlySet<number>,
  seed: number,
): OracleGain {
  const was = scoresByLine(before);
  const is = scoresByLine(after);
  const sign = before.better === 'higher' ? 1 : -1;
  const pairs: ScoredPair[] = [];
  let lost = 0;
  for (const [line, scores] of was) {
    const now = given.has(line) ? is.get(line) : scores;
    if (now === undefined) lost += 1;
    else pairs.push([scores, now]);
  }
  const { difference, interval, p, isSignificant } = pairedDifference(pairs, { seed, isPass: before.kind === 'pass' });
  return {
    node,
    metric: before.name,
    given: given.size,
    before: meanOfRows(pairs.map(([scores]) => scores)),
    after: meanOfRows(pairs.map(([, scores]) => scores)),
    gain: sign * difference,
    ...(interval === undefined ? {} : { interval: signed(interval, sign) }),
    pValue: p,
    isSignificant,
    lost,
    found: [...is.keys()].filter((line) => given.has(line) && !was.has(line)).length,
  };
}

/** The largest gain first, of equal ones what gives more rows a score; others stay in the order of the flow. */
export function bestFirst(gains: readonly OracleGain[]): readonly OracleGain[] {
  return [...gains].sort((one, other) => other.gain - one.gain || other.found - one.found);
}

function scoresByLine({ scores }: MetricResult): ReadonlyMap<number, readonly number[]> {
  const lines = new Map<number, number[]>();
  for (const [at, value] of scores.values.entries()) {
    const line = scores.lines[at] ?? 0;
    const known = lines.get(line);
    if (known === undefined) lines.set(line, [value]);
    else known.push(value);
  }
  return lines;
}

function meanOfRows(rows: readonly (readonly number[])[]): number | null {
  if (rows.length === 0) return null;
  return rows.reduce((sum, row) => sum + row.reduce((all, one) => all + one, 0) / row.length, 0) / rows.length;
}

function signed({ low, high }: Interval95, sign: number): Interval95 {
  return sign > 0 ? { low, high } : { low: -high, high: -low };
}
