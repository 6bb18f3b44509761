import type { FamilyResult, IterationResult, MetricResult } from '../score-run/eval-result.ts';
import type { LoopRow, LoopShape } from './loop-rows.ts';

export interface LoopJudgement {
  /** Metric of the kind `pass` on the state of each iteration: whether the row is answered right, had the loop ended there. */
  readonly right?: Pick<MetricResult, 'scores'>;
  /** Iteration at which the row should have ended, null where it should not have; undefined where nothing is said. */
  readonly expectedAt?: (line: number, repeat: number) => number | null | undefined;
}

/**
 * A loop by iteration: how many rows went round and ended there, how many would be right had it ended there, and what it
 * cost. A row that ended keeps the judgement of its end.
 *
 * When a row should have ended is what the expectations say, else the first iteration at which it was right; where it was
 * never right and did end, it ended too early. The recommended bound is the least with as many rows right as any larger
 * one has; without judgements, the least at which every row that ends has ended.
 */
export function viewLoop(shape: LoopShape, rows: readonly LoopRow[], judgement: LoopJudgement): FamilyResult {
  const right = judgement.right === undefined ? undefined : rightByIteration(shape, rows, judgement.right.scores);
  const iterations = shape.members.map((_, index) => iterationResult(index, rows, right));
  const decisions = rows.flatMap((row, at) => decisionOf(row, right?.[at], judgement.expectedAt) ?? []);
  const lost = right?.filter((values) => values.includes(1) && values.findLast((one) => one !== undefined) === 0);
  const times = recommendedTimes(iterations, rows);
  return {
    family: shape.stateFamily,
    iterations,
    ...(decisions.length === 0 ? {} : { stopped: tally(decisions) }),
    ...(lost === undefined ? {} : { lostLater: lost.length }),
    ...(times === undefined ? {} : { recommendedTimes: times }),
  };
}

/** 1 right, 0 wrong, undefined not judged so far; by row, then by iteration. */
type Judged = readonly (readonly (number | undefined)[])[];

function rightByIteration(shape: LoopShape, rows: readonly LoopRow[], scores: MetricResult['scores']): Judged {
  const found = new Map<string, number>();
  for (const [at, value] of scores.values.entries()) {
    found.set(`${scores.lines[at]}/${scores.repeats[at]}/${scores.iterations?.[at]}`, value);
  }
  return rows.map(({ line, repeat, finishedAt = shape.members.length }) => {
    let last: number | undefined;
    return shape.members.map((_, index) => {
      if (index < finishedAt) last = found.get(`${line}/${repeat}/${index + 1}`) ?? last;
      return last;
    });
  });
}

function iterationResult(index: number, rows: readonly LoopRow[], right: Judged | undefined): IterationResult {
  const turns = rows.flatMap(({ turns: all }) => all[index] ?? []);
  const ran = turns.filter((turn) => turn.ran);
  const sum = (of: (turn: LoopRow['turns'][number]) => number): number => ran.reduce((all, turn) => all + of(turn), 0);
  const [tokens, cost] = [sum((turn) => turn.tokens), sum((turn) => turn.cost)];
  return {
    iteration: index + 1,
    ran: ran.length,
    finished: rows.filter(({ finishedAt }) => finishedAt === index + 1).length,
    ...(right === undefined ? {} : { rightByNow: right.filter((values) => values[index] === 1).length }),
    ...(tokens === 0 ? {} : { tokens }),
    ...(cost === 0 ? {} : { cost }),
  };
}

type Decision = 'right' | 'tooEarly' | 'tooLate' | 'never';

function decisionOf(
  { line, repeat, finishedAt }: LoopRow,
  right: readonly (number | undefined)[] | undefined,
  expectedAt: LoopJudgement['expectedAt'],
): Decision | undefined {
  const said = expectedAt?.(line, repeat);
  const due = said === undefined ? firstRight(right) : said;
  if (due === undefined) return undefined;
  if (finishedAt !== undefined) return comparedWith(due, finishedAt);
  if (due !== null) return 'never';
  return said === null ? 'right' : undefined;
}

function comparedWith(due: number | null, finishedAt: number): Decision {
  if (due === null || finishedAt < due) return 'tooEarly';
  return finishedAt === due ? 'right' : 'tooLate';
}

/** From 1; null where it never was, undefined where nobody judged. */
function firstRight(right: readonly (number | undefined)[] | undefined): number | null | undefined {
  if (right === undefined || right.every((one) => one === undefined)) return undefined;
  const first = right.indexOf(1);
  return first < 0 ? null : first + 1;
}

function tally(decisions: readonly Decision[]): Readonly<Record<Decision, number>> {
  const count = (one: Decision): number => decisions.filter((decision) => decision === one).length;
  return { right: count('right'), tooEarly: count('tooEarly'), tooLate: count('tooLate'), never: count('never') };
}

function recommendedTimes(iterations: readonly IterationResult[], rows: readonly LoopRow[]): number | undefined {
  if (rows.length === 0) return undefined;
  const isJudged = iterations.every(({ rightByNow }) => rightByNow !== undefined);
  let ended = 0;
  const counts = iterations.map(({ rightByNow = 0, finished }) => {
    ended += finished;
    return isJudged ? rightByNow : ended;
  });
  const best = Math.max(...counts);
  return best === 0 ? undefined : counts.indexOf(best) + 1;
}
