import type { MetricScores, RowPlace, UnscoredRows } from '../eval-result/eval-result.ts';
import type { Score, Unscored } from '../evaluators/evaluator.ts';

/** Scores of one metric, and why others have none; a place is taken before its score is known. */
export class ScoreColumn {
  private readonly places: ScoredPlace[] = [];
  private readonly reasons = new Map<string, LeftOut>();

  /** @param iteration from 1; 0 where the metric is of no family */
  take(line: number, repeat: number, iteration: number): number {
    return this.places.push({ line, repeat, iteration, score: undefined }) - 1;
  }

  set(place: number, score: Score): void {
    const taken = this.places[place] as ScoredPlace;
    if (typeof score === 'number' && Math.abs(score) <= largestScore) taken.score = score;
    else {
      const { line, repeat, iteration } = taken;
      this.leaveOut(typeof score === 'number' ? unusable(score) : score, iteration, { line, repeat });
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
    const scored = this.places.filter(({ score }) => score !== undefined);
    return {
      lines: scored.map(({ line }) => line),
      repeats: scored.map(({ repeat }) => repeat),
      ...(isFamily ? { iterations: scored.map(({ iteration }) => iteration) } : {}),
      values: scored.map(({ score }) => score as number),
    };
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
}

interface ScoredPlace extends RowPlace {
  readonly iteration: number;
  score: number | undefined;
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
