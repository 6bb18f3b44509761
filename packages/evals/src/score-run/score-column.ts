import type { Score, Unscored } from '../evaluators/evaluator.ts';
import type { MetricScores } from './eval-result.ts';

/** Scores of one metric as columns of numbers, and why others have none; a place is taken before its score is known. */
export class ScoreColumn {
  private lines = new Int32Array(1024);
  private repeats = new Int32Array(1024);
  private iterations = new Int32Array(1024);
  /** NaN where there is no score. */
  private values = new Float64Array(1024);
  private readonly reasons = new Map<
    string,
    { readonly unscored: Unscored; readonly iteration: number; count: number }
  >();
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
    if (typeof score === 'number' && Number.isFinite(score)) this.values[place] = score;
    else this.leaveOut(typeof score === 'number' ? notFinite : score, this.iterations[place] as number);
  }

  leaveOut(unscored: Unscored, iteration: number): void {
    const key = `${iteration} ${unscored.unscored}`;
    const known = this.reasons.get(key);
    if (known === undefined) this.reasons.set(key, { unscored, iteration, count: 1 });
    else known.count += 1;
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
  unscored(iteration?: number): {
    readonly unscored: readonly { readonly reason: string; readonly count: number }[];
    readonly errors: number;
  } {
    const counts = new Map<string, number>();
    let errors = 0;
    for (const { unscored, iteration: own, count } of this.reasons.values()) {
      if (iteration !== undefined && own !== iteration) continue;
      counts.set(unscored.unscored, (counts.get(unscored.unscored) ?? 0) + count);
      if (unscored.isError === true) errors += count;
    }
    const listed = [...counts].map(([reason, count]) => ({ reason, count }));
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

const notFinite: Unscored = { unscored: 'the score is no number', isError: true };
