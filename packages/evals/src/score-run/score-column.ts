import type { MetricScores, RowPlace, UnscoredRows } from '../eval-result/eval-result.ts';
import type { Score, Unscored } from '../evaluators/evaluator.ts';

/** Scores of one metric as columns of numbers, and why others have none; a place is taken before its score is known. */
export class ScoreColumn {
  private lines = new Int32Array(1024);
  private repeats = new Int32Array(1024);
  private iterations = new Int32Array(1024);
  /** NaN where there is no score. */
  private values = new Float64Array(1024);
  private readonly reasons = new Map<string, LeftOut>();
  private count = 0;

  /** @param iteration from 1; 0 where the metric is of no family */
  take(line: number, repeat: number, iteration: number): number {
    if (this.count === this.values.length) this.grow();
    this.lines[this.count] = line;
    this.repeats[this.count] = repeat;
    this.iterations[this.count] = iteration;
    this.values[this.count] = Number.NaN;
    this.count += 1;
    return this.count - 1;
  }

  set(place: number, score: Score): void {
    if (typeof score === 'number' && Math.abs(score) <= largestScore) this.values[place] = score;
    else {
      const row = { line: this.lines[place] as number, repeat: this.repeats[place] as number };
      this.leaveOut(typeof score === 'number' ? unusable(score) : score, this.iterations[place] as number, row);
    }
  }

  /** @param times how many rows at once */
  leaveOut(unscored: Unscored, iteration: number, row?: RowPlace, times = 1): void {
    const key = `${iteration} ${unscored.unscored}`;
    const known = this.reasons.get(key) ?? { unscored, iteration, count: 0, rows: [] };
    this.reasons.set(key, known);
    known.count += times;
    const isReported = row !== undefined && unscored.isError === true && known.rows.length < maxRows;
    const last = known.rows.at(-1);
    if (isReported && (last?.line !== row.line || last.repeat !== row.repeat)) known.rows.push(row);
  }

  /** In the order of rows. */
  scores(isFamily: boolean): MetricScores {
    const [lines, repeats, iterations, values]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let at = 0; at < this.count; at += 1) {
      const value = this.values[at] as number;
      if (Number.isNaN(value)) continue;
      lines.push(this.lines[at] as number);
      repeats.push(this.repeats[at] as number);
      if (isFamily) iterations.push(this.iterations[at] as number);
      values.push(value);
    }
    return { lines, repeats, ...(isFamily ? { iterations } : {}), values };
  }

  /** Most frequent first. @param iteration of this one only */
  unscored(iteration?: number): { readonly unscored: readonly UnscoredRows[]; readonly errors: number } {
    const byReason = new Map<string, LeftOut>();
    let errors = 0;
    for (const one of this.reasons.values()) {
      if (iteration !== undefined && one.iteration !== iteration) continue;
      const { unscored, count, rows } = one;
      const before = byReason.get(unscored.unscored);
      const named = before?.rows ?? [];
      const others = rows.filter((row) => !named.some((known) => byPlace(known, row) === 0));
      const all = [...named, ...others].slice(0, maxRows);
      byReason.set(unscored.unscored, { ...(before ?? one), count: (before?.count ?? 0) + count, rows: all });
      if (unscored.isError === true) errors += count;
    }
    const listed = [...byReason].map(
      ([
        reason,
        {
          count,
          rows,
          unscored: { said },
        },
      ]) => {
        return {
          reason,
          count,
          ...(rows.length === 0 ? {} : { rows: [...rows].sort(byPlace) }),
          ...(said === undefined ? {} : { said }),
        };
      },
    );
    return { unscored: listed.sort((one, other) => other.count - one.count), errors };
  }

  private grow(): void {
    const grown = <T extends Int32Array | Float64Array>(old: T, empty: T): T => {
      empty.set(old);
      return empty;
    };
    const size = this.count * 2;
    this.lines = grown(this.lines, new Int32Array(size));
    this.repeats = grown(this.repeats, new Int32Array(size));
    this.iterations = grown(this.iterations, new Int32Array(size));
    this.values = grown(this.values, new Float64Array(size));
  }
}

function byPlace(one: RowPlace, other: RowPlace): number {
  return one.line - other.line || one.repeat - other.repeat;
}

interface LeftOut {
  readonly unscored: Unscored;
  readonly iteration: number;
  count: number;
  /** The first of them, of errors. */
  readonly rows: RowPlace[];
}

const maxRows = 5;

/** Squares of a million of larger ones have no sum that a number can hold. */
const largestScore = 1e100;

function unusable(score: number): Unscored {
  return { unscored: Number.isFinite(score) ? 'the score is beyond ±1e100' : 'the score is no number', isError: true };
}
