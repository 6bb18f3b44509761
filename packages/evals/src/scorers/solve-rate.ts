/** How a judge labelled an answer (StableToolBench's solvable pass rate). */
export type SolvedLabel = 'Solved' | 'Unsure' | 'Unsolved';

const worth: Readonly<Record<SolvedLabel, number>> = { Solved: 1, Unsure: 0.5, Unsolved: 0 };

export interface SolveRate {
  /** Mean over the queries, for each round. */
  readonly perRound: readonly number[];
  /** Mean of the rounds, in percent. */
  readonly ratePercent: number;
  /** Population standard deviation over the rounds, in percent. */
  readonly deviationPercent: number;
}

export function labelScore(label: SolvedLabel): number {
  return worth[label];
}

/**
 * Solvable pass rate: the mean over the queries of each round, then over the rounds. A missing round counts as 0, one
 * whose judge gave no label (null) is left out.
 */
export function solveRate(
  labels: Readonly<Record<string, Readonly<Record<string, SolvedLabel | null>>>>,
  rounds: number,
): SolveRate {
  const queries = Object.values(labels);
  const perRound = Array.from({ length: rounds }, (_, round) => {
    const given = queries.map((ofQuery) => ofQuery[String(round)]).filter((label) => label !== null);
    return mean(given.map((label) => worth[label ?? 'Unsolved']));
  });
  const rate = mean(perRound);
  const variance = mean(perRound.map((value) => (value - rate) ** 2));
  return { perRound, ratePercent: rate * 100, deviationPercent: Math.sqrt(variance) * 100 };
}

export interface JudgedAnswer {
  readonly finalAnswer: string;
  /** Whether the chain ended with Finish; true where it is not known. */
  readonly endsWithFinish?: boolean;
  readonly gaveUp?: boolean;
}

export type SolvedStatus =
  | { readonly label: SolvedLabel; readonly judgeCalls: number }
  /** The judge said something that is no label: the answer has no score. */
  | { readonly label: null; readonly error: 'JUDGE_FORMAT'; readonly said: string; readonly judgeCalls: number };

/** ToolBench's evaluator takes an answer that holds this word for one that gives up. */
const givenUpMark = 'give_up_and_restart';

/**
 * Labels an answer: one that is empty, given up or not finished is unsolved without a judge; the judge sees the query
 * and the final answer first, and only if unsure the whole execution.
 *
 * @param judge called with 1, then with 2
 */
export async function solvedStatus(
  { finalAnswer, endsWithFinish = true, gaveUp = false }: JudgedAnswer,
  judge: (call: 1 | 2) => string | Promise<string>,
): Promise<SolvedStatus> {
  const isGivenUp = gaveUp || finalAnswer.includes(givenUpMark);
  if (finalAnswer.trim() === '' || !endsWithFinish || isGivenUp) return { label: 'Unsolved', judgeCalls: 0 };
  const first = await judge(1);
  return first === 'Unsure' ? labelled(await judge(2), 2) : labelled(first, 1);
}

function labelled(said: string, judgeCalls: number): SolvedStatus {
  return isLabel(said) ? { label: said, judgeCalls } : { label: null, error: 'JUDGE_FORMAT', said, judgeCalls };
}

function isLabel(said: string): said is SolvedLabel {
  return Object.hasOwn(worth, said);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
