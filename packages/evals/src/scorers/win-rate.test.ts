import { expect, test } from 'vitest';
import type { SolvedLabel } from './solve-rate.ts';
import { solvedStatus } from './solve-rate.ts';
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
