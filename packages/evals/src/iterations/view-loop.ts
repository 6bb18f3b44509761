import type { LoopShape } from '@unroll/engine';
import type { MetricScores } from '../eval-result/eval-result.ts';
import type { FamilyResult, IterationResult } from '../eval-result/family-result.ts';
import type { LoopRows } from './loop-rows.ts';

/**
 * A loop by iteration: how many rows went round and ended there, how many would be right had it ended there, and what it
 * cost. A row that ended keeps the judgement of its end.
 *
 * When a row should have ended is what the expectations say, else the first iteration at which it was right; where it was
 * never right and did end, it ended too early. The recommended bound is the least with as many rows right as any larger
 * one has; without judgements, the least at which every row that ends has ended.
 *
 * @param right scores of a metric of the kind `pass` on the state of each iteration, in the order of rows: whether the row
 *   is answered right, had the loop ended there
 */
export function viewLoop(shape: LoopShape, rows: LoopRows, right?: MetricScores): FamilyResult {
  const judged = judgeRows(rows, right);
  const iterations = rows.turns.map(({ ran, finished, tokens, cost, isCostPartial }, index): IterationResult => {
    return {
      iteration: index + 1,
      ran,
      finished,
      ...(right === undefined ? {} : { rightByNow: judged.rightByNow[index] ?? 0 }),
      ...(tokens === 0 ? {} : { tokens }),
      ...(cost === 0 ? {} : { cost }),
      ...(cost === 0 || !isCostPartial ? {} : { isCostPartial }),
    };
  });
  const times = recommendedTimes(iterations, rows.count);
  return {
    family: shape.stateFamily,
    iterations,
    ...(Object.values(judged.stopped).every((count) => count === 0) ? {} : { stopped: judged.stopped }),
    ...(right === undefined ? {} : { lostLater: judged.lostLater }),
    ...(times === undefined ? {} : { recommendedTimes: times }),
  };
}

interface JudgedRows {
  readonly rightByNow: readonly number[];
  readonly stopped: Readonly<Record<Decision, number>>;
  readonly lostLater: number;
}

function judgeRows({ count, lines, repeats, finishedAt, dueAt, turns }: LoopRows, scores?: MetricScores): JudgedRows {
  const found = {
    rightByNow: turns.map(() => 0),
    stopped: { right: 0, tooEarly: 0, tooLate: 0, never: 0 },
    lostLater: 0,
  };
  const judgementOf = scores === undefined ? undefined : scoresByRow(scores);
  for (let at = 0; at < count; at += 1) {
    const ended = finishedAt[at] as number;
    const judgement = judgementOf?.(lines[at] as number, repeats[at] as number);
    const right = judgement === undefined ? [] : untilEnd(judgement, ended === 0 ? turns.length : ended, turns.length);
    if (judgement !== undefined) countRight(found, right);
    const decision = decisionOf(ended, dueAt[at] as number, right);
    if (decision !== undefined) found.stopped[decision] += 1;
  }
  return found;
}

function countRight(found: { readonly rightByNow: number[]; lostLater: number }, right: Judgement): void {
  for (let index = 0; index < right.length; index += 1) {
    if (right[index] === 1) found.rightByNow[index] = (found.rightByNow[index] ?? 0) + 1;
  }
  if (right.at(-1) === 0 && right.includes(1)) found.lostLater += 1;
}

/** 1 right, 0 wrong, undefined not judged so far; by iteration. */
type Judgement = readonly (number | undefined)[];

/** Gives the scores of one row after the other, for rows in their order. */
function scoresByRow({
  lines,
  repeats,
  iterations,
  values,
}: MetricScores): (line: number, repeat: number) => Judgement {
  let at = 0;
  const isBefore = (line: number, repeat: number): boolean =>
    (lines[at] as number) < line || (lines[at] === line && (repeats[at] as number) < repeat);
  return (line, repeat) => {
    while (at < lines.length && isBefore(line, repeat)) at += 1;
    const found: (number | undefined)[] = [];
    for (; lines[at] === line && repeats[at] === repeat; at += 1) found[(iterations?.[at] ?? 1) - 1] = values[at];
    return found;
  };
}

/** What was judged so far at each iteration; after its end a row stays as it was. */
function untilEnd(judgement: Judgement, ended: number, times: number): Judgement {
  const right: (number | undefined)[] = [];
  for (let index = 0; index < times; index += 1) {
    right.push(index < ended ? (judgement[index] ?? right.at(-1)) : right.at(-1));
  }
  return right;
}

type Decision = 'right' | 'tooEarly' | 'tooLate' | 'never';

/** @param ended and `said` as in `LoopRows` */
function decisionOf(ended: number, said: number, right: Judgement): Decision | undefined {
  const due = Number.isNaN(said) ? firstRight(right) : said;
  if (due === undefined) return undefined;
  if (ended > 0) return comparedWith(due, ended);
  if (due > 0) return 'never';
  return said === 0 ? 'right' : undefined;
}

function comparedWith(due: number, ended: number): Decision {
  if (due === 0 || ended < due) return 'tooEarly';
  return ended === due ? 'right' : 'tooLate';
}

/** From 1; 0 where it never was, undefined where nobody judged. */
function firstRight(right: Judgement): number | undefined {
  return right.every((one) => one === undefined) ? undefined : right.indexOf(1) + 1;
}

function recommendedTimes(iterations: readonly IterationResult[], rows: number): number | undefined {
  if (rows === 0) return undefined;
  const isJudged = iterations.every(({ rightByNow }) => rightByNow !== undefined);
  let ended = 0;
  const counts = iterations.map(({ rightByNow = 0, finished }) => {
    ended += finished;
    return isJudged ? rightByNow : ended;
  });
  const best = Math.max(...counts);
  return best === 0 ? undefined : counts.indexOf(best) + 1;
}
