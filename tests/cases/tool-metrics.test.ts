import {
  hallucinationRate,
  judgeBothOrders,
  macroAverage,
  microAverage,
  ndcgAt,
  ndcgOfScores,
  ndcgReturnedOnlyAt,
  type PairOutcome,
  pairOutcome,
  type RoundWinner,
  type SolvedLabel,
  solvedStatus,
  solveRate,
  winnerByLabel,
  winRate,
} from '@unroll/evals';
import { expect, test } from 'vitest';
import { readCases } from './case-file.ts';

type At = Readonly<Record<string, number>>;

interface RankCase {
  readonly id: string;
  readonly why: string;
  readonly corpus: readonly string[];
  readonly relevant: readonly string[];
  readonly predicted: readonly string[];
  readonly standard: At;
  readonly toolgen_script: At;
  readonly sklearn_full_corpus: At;
}

const depths = [1, 3, 5];

/** The cases are rounded to six digits. */
const rounded = (value: number | undefined): number => Math.round((value ?? Number.NaN) * 1e6) / 1e6;
const atDepths = (score: (k: number) => number | undefined): At =>
  Object.fromEntries(depths.map((k) => [`@${k}`, rounded(score(k))]));

test.for(readCases<RankCase>('s4_ndcg.jsonl'))('$id: $why', ({ corpus, relevant, predicted, ...wanted }) => {
  const wantedOnes = new Set(relevant);
  expect(atDepths((k) => ndcgAt(predicted, wantedOnes, k))).toEqual(wanted.standard);
  expect(atDepths((k) => ndcgReturnedOnlyAt(predicted, wantedOnes, new Set(corpus), k))).toEqual(wanted.toolgen_script);
  const gains = corpus.map((id) => (wantedOnes.has(id) ? 1 : 0));
  const scores = corpus.map((id) => (predicted.includes(id) ? predicted.length - predicted.indexOf(id) : 0));
  expect(atDepths((k) => ndcgOfScores(gains, scores, k))).toEqual(wanted.sklearn_full_corpus);
});

interface TieCase {
  readonly id: string;
  readonly relevance: readonly number[];
  readonly scores: readonly number[];
  readonly sklearn_ndcg: At;
  readonly sklearn_ignore_ties: At;
}

test.for(readCases<TieCase>('s4_ndcg_ties.jsonl'))('$id', ({ relevance, scores, ...wanted }) => {
  expect(atDepths((k) => ndcgOfScores(relevance, scores, k))).toEqual(wanted.sklearn_ndcg);
});

interface AverageCase {
  readonly row: string;
  readonly values: readonly number[];
  readonly weights: readonly number[];
  readonly printed_average: number;
  readonly micro_average: number;
  readonly macro_average: number;
  readonly printed_matches_micro: boolean;
}

test.for(readCases<AverageCase>('s4_micro_average.jsonl'))('$row', ({ values, weights, ...wanted }) => {
  expect(microAverage(values, weights)).toBeCloseTo(wanted.micro_average, 3);
  expect(macroAverage(values)).toBeCloseTo(wanted.macro_average, 3);
  const isPrinted = Math.abs(microAverage(values, weights) - wanted.printed_average) < 0.02;
  expect(isPrinted).toBe(wanted.printed_matches_micro);
});

interface PassCase {
  readonly id: string;
  readonly why: string;
  readonly labels: Readonly<Record<string, Readonly<Record<string, SolvedLabel>>>>;
  readonly evaluate_times: number;
  readonly expected: {
    readonly per_round: readonly number[];
    readonly solve_rate_percent: number;
    readonly std_percent: number;
  };
}

test.for(readCases<PassCase>('s4_pass_rate.jsonl'))('$id: $why', ({ labels, evaluate_times: rounds, expected }) => {
  const { perRound, ratePercent, deviationPercent } = solveRate(labels, rounds);
  expect(perRound.map(rounded)).toEqual(expected.per_round);
  expect(ratePercent).toBeCloseTo(expected.solve_rate_percent, 3);
  expect(deviationPercent).toBeCloseTo(expected.std_percent, 3);
});

interface StatusCase {
  readonly id: string;
  readonly final_answer?: string | null;
  readonly last_step_is_finish?: boolean;
  readonly gave_up?: boolean;
  readonly return_type?: string;
  readonly judge?: readonly string[];
  readonly required: {
    readonly status?: SolvedLabel;
    readonly error?: string;
    readonly score_excluded?: boolean;
    readonly score?: number;
    readonly judge_called?: boolean;
    readonly judge_calls?: number;
  };
}

test.for(readCases<StatusCase>('s4_solved_status.jsonl'))('$id', async ({ required, judge = [], ...given }) => {
  const status = await solvedStatus(
    {
      finalAnswer: given.final_answer === undefined ? 'text' : (given.final_answer ?? ''),
      endsWithFinish: given.last_step_is_finish ?? true,
      gaveUp: given.gave_up ?? given.return_type === 'give_up_and_restart',
    },
    (call) => judge[call - 1] ?? 'Unsolved',
  );
  expect(status.label ?? undefined).toBe(required.status);
  expect('error' in status ? status.error : undefined).toBe(required.error);
  if (required.score_excluded !== undefined) {
    const { perRound } = solveRate({ q: { '0': status.label }, other: { '0': 'Solved' } }, 1);
    expect(perRound[0] === 1).toBe(required.score_excluded);
  }
  if (required.judge_calls !== undefined) expect(status.judgeCalls).toBe(required.judge_calls);
  if (required.judge_called !== undefined) expect(status.judgeCalls > 0).toBe(required.judge_called);
  if (required.score !== undefined) {
    expect(solveRate({ q: { '0': status.label } }, 1).perRound).toEqual([required.score]);
  }
});

interface WinCase {
  readonly id: string;
  readonly ref?: Answer;
  readonly out?: Answer;
  readonly judge_called?: boolean;
  readonly winner?: string;
  readonly rounds?: readonly RoundWinner[];
  readonly outcomes?: readonly PairOutcome[];
  readonly required?:
    | PairOutcome
    | { readonly win_rate: number; readonly tie_rate: number; readonly lose_rate: number }
    | { readonly orders_asked: readonly string[]; readonly disagreement: RoundWinner };
}

/** The label of an answer, or only whether there is one. */
type Answer = SolvedLabel | null | 'missing' | 'present';

function labelsOf(answer: Answer): readonly (SolvedLabel | null)[] {
  if (answer === 'present') return ['Solved', 'Unsure', 'Unsolved'];
  return [answer === 'missing' ? null : answer];
}

test.for(readCases<WinCase>('s4_win_rate.jsonl'))('$id', async ({ ref, out, rounds, outcomes, ...wanted }) => {
  const orders = asksOrders(wanted.required) ? wanted.required : undefined;
  expect([ref, rounds, outcomes, orders].some((one) => one !== undefined)).toBe(true);
  if (ref !== undefined && out !== undefined) checkLabels(labelsOf(ref), labelsOf(out), wanted);
  if (rounds !== undefined) expect(pairOutcome(rounds)).toBe(wanted.required);
  if (outcomes !== undefined) {
    const { winRate: win_rate, tieRate: tie_rate, loseRate: lose_rate } = winRate(outcomes);
    expect({ win_rate, tie_rate, lose_rate }).toEqual(wanted.required);
  }
  if (orders !== undefined) await checkOrders(orders);
});

/** The winner of a round, or what becomes of a query whose rounds all end so. */
function checkLabels(
  references: readonly (SolvedLabel | null)[],
  outputs: readonly (SolvedLabel | null)[],
  { winner, judge_called: isJudged, required }: Pick<WinCase, 'winner' | 'judge_called' | 'required'>,
): void {
  expect(winner ?? required).toBeDefined();
  const pairs = references.flatMap((reference) => outputs.map((output) => [reference, output] as const));
  const won = pairs.map(([reference, output]) => winnerByLabel(reference, output));
  if (winner !== undefined) expect(new Set(won.map((one) => one ?? 'judge'))).toEqual(new Set([winner]));
  if (isJudged !== undefined) expect(won.every((one) => (one === undefined) === isJudged)).toBe(true);
  if (required === undefined) return;
  const outcomes = won.map((one) => (one === undefined ? 'judge' : pairOutcome([one, one, one])));
  expect(new Set(outcomes)).toEqual(new Set([required]));
}

type Orders = Extract<NonNullable<WinCase['required']>, { readonly orders_asked: readonly string[] }>;

function asksOrders(required: WinCase['required']): required is Orders {
  return typeof required === 'object' && 'orders_asked' in required;
}

/** A is the reference, B the output; a judge that holds to what it is shown first disagrees with itself. */
async function checkOrders({ orders_asked: wanted, disagreement }: Orders): Promise<void> {
  for (const said of ['first', 'second'] as const) {
    const asked: string[] = [];
    const winner = await judgeBothOrders((order) => {
      asked.push(order === 'ref-first' ? 'AB' : 'BA');
      return said;
    });
    expect(asked).toEqual(wanted);
    expect(winner).toBe(disagreement);
  }
}

interface HallucinationCase {
  readonly id: string;
  readonly tool_set: readonly string[];
  readonly actions: readonly string[];
  readonly required: { readonly rate: number | null; readonly numerator?: number; readonly denominator?: number };
}

test.for(readCases<HallucinationCase>('s4_hallucination.jsonl'))('$id', ({ tool_set: tools, actions, required }) => {
  const { rate, ...counts } = hallucinationRate(actions, tools);
  expect({ ...counts, rate: rate === null ? null : rounded(rate) }).toMatchObject(required);
});
