import { expect, test } from 'vitest';
import type { SolvedLabel } from './solve-rate.ts';
import { labelScore, solvedStatus, solveRate } from './solve-rate.ts';
import {
  judgeBothOrders,
  type PairOutcome,
  pairOutcome,
  type RoundWinner,
  winnerByLabel,
  winRate,
} from './win-rate.ts';

test.for<readonly [reference: SolvedLabel | null, output: SolvedLabel | null, winner: RoundWinner | undefined]>([
  ['Solved', 'Unsure', 'ref'],
  ['Unsure', 'Solved', 'out'],
  ['Unsolved', 'Unsure', 'out'],
  ['Solved', 'Solved', undefined],
  ['Unsolved', null, 'ref'],
  [null, 'Unsolved', 'out'],
  [null, null, 'tie'],
])('%s against %s: %s', ([reference, output, winner]) => {
  expect(winnerByLabel(reference, output)).toBe(winner);
});

test.for<readonly [rounds: readonly RoundWinner[], outcome: PairOutcome]>([
  [[], 'tie'],
  [['tie', 'tie'], 'tie'],
  [['out', 'ref'], 'tie'],
  [['out', 'tie', 'tie'], 'win'],
  [['ref', 'tie', 'tie'], 'lose'],
  [['out', 'out', 'ref'], 'win'],
  [['ref', 'ref', 'out'], 'lose'],
])('rounds %j: %s', ([rounds, outcome]) => {
  expect(pairOutcome(rounds)).toBe(outcome);
});

test('shares of all queries', () => {
  expect(winRate(['win', 'win', 'tie', 'lose'])).toEqual({ winRate: 0.5, tieRate: 0.25, loseRate: 0.25 });
  expect(winRate([])).toEqual({ winRate: 0, tieRate: 0, loseRate: 0 });
});

test.for<readonly [refFirst: 'first' | 'second', outFirst: 'first' | 'second', winner: RoundWinner]>([
  ['first', 'second', 'ref'],
  ['second', 'first', 'out'],
  ['first', 'first', 'tie'],
  ['second', 'second', 'tie'],
])('a judge that names the %s, then the %s: %s', async ([refFirst, outFirst, winner]) => {
  const asked: string[] = [];
  const judge = (order: 'ref-first' | 'out-first') => {
    asked.push(order);
    return order === 'ref-first' ? refFirst : outFirst;
  };
  expect(await judgeBothOrders(judge)).toBe(winner);
  expect(asked).toEqual(['ref-first', 'out-first']);
});

test.for([
  { finalAnswer: ' \n' },
  { finalAnswer: '' },
  { finalAnswer: 'x', gaveUp: true },
  { finalAnswer: 'I give_up_and_restart' },
  { finalAnswer: 'x', endsWithFinish: false },
])('%j is unsolved, and no judge is asked', async (answer) => {
  const judge = () => expect.fail('asked');
  expect(await solvedStatus(answer, judge)).toEqual({ label: 'Unsolved', judgeCalls: 0 });
});

test.for<[said: readonly string[], status: Awaited<ReturnType<typeof solvedStatus>>]>([
  [['Solved'], { label: 'Solved', judgeCalls: 1 }],
  [['Unsolved'], { label: 'Unsolved', judgeCalls: 1 }],
  [['Unsure', 'Solved'], { label: 'Solved', judgeCalls: 2 }],
  [['Unsure', 'Unsure'], { label: 'Unsure', judgeCalls: 2 }],
  [['solved'], { label: null, error: 'JUDGE_FORMAT', said: 'solved', judgeCalls: 1 }],
  [['Unsure', 'toString'], { label: null, error: 'JUDGE_FORMAT', said: 'toString', judgeCalls: 2 }],
])(
  'a judge that says %j: it sees the whole execution only where it was unsure of the answer',
  async ([said, status]) => {
    const calls: number[] = [];
    const judge = (call: 1 | 2): string => {
      calls.push(call);
      return said[call - 1] ?? 'nothing';
    };
    expect(await solvedStatus({ finalAnswer: 'x' }, judge)).toEqual(status);
    expect(calls).toEqual(said.map((_, at) => at + 1));
  },
);

test('a solve rate is the mean of its rounds; a missing round counts as unsolved, one without a label not at all', () => {
  const labels = { a: { 0: 'Solved', 1: 'Unsure' }, b: { 0: 'Solved', 1: null }, c: { 0: 'Unsolved' } } as const;
  const { perRound, ratePercent, deviationPercent } = solveRate(labels, 2);
  expect(perRound).toEqual([2 / 3, 0.25]);
  expect(ratePercent).toBeCloseTo(45.8333, 3);
  expect(deviationPercent).toBeCloseTo(20.8333, 3);
  expect(solveRate({}, 1)).toEqual({ perRound: [0], ratePercent: 0, deviationPercent: 0 });
  expect((['Solved', 'Unsure', 'Unsolved'] as const).map(labelScore)).toEqual([1, 0.5, 0]);
});
