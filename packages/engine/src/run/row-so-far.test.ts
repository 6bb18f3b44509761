import { expect, test } from 'vitest';
import type { FinishedNode } from '../node/row-scope.ts';
import { RowSoFar } from './row-so-far.ts';

/** `a 0-5` ran from the first millisecond to the fifth. */
function soFar(written: string, now: () => number): RowSoFar {
  const spans = written.split(', ').filter((one) => one !== '');
  const finished = spans.map((one) => {
    const [node = '', span = ''] = one.split(' ');
    const [startedAt = 0, end = 0] = span.split('-').map(Number);
    return [node, { output: node, startedAt, durationMs: end - startedAt }] as const;
  });
  return new RowSoFar(() => undefined, new Map(finished), now);
}

test.for<readonly [finished: string, since: number, worked: number]>([
  ['', 0, 0],
  ['a 0-5', 0, 5],
  ['a 0-5, b 5-9', 0, 9],
  ['a 0-5, b 2-4, c 3-8', 0, 8],
  ['a 0-5, b 1000-1005', 0, 10],
  ['b 1000-1005, a 0-5', 0, 10],
  ['a 0-5, b 5-9', 5, 4],
  ['a 0-5, b 5-9', 3, 6],
])('of nodes that ran at %s the row was worked on since %i for %i ms', ([finished, since, worked]) => {
  let now = 9000;
  const row = soFar(finished, () => now);
  expect(row.workedSince(since)).toBe(worked);
  now = 9020;
  expect([row.workedSince(since), row.workedSince(9005)]).toEqual([worked + 20, 15]);
});

test('what a node handed on: its output, and what it gave beside it where it gave something', () => {
  const nodes = new Map<string, FinishedNode>([
    ['plain', { output: 1 }],
    ['both', { output: 1, beside: { b: 2 } }],
    ['nothing', {}],
  ]);
  const row = new RowSoFar(
    (node) => nodes.get(node),
    undefined,
    () => 0,
  );
  expect(['plain', 'both', 'nothing', 'none'].map((node) => row.handed(node))).toStrictEqual([
    { output: 1 },
    { output: 1, beside: { b: 2 } },
    undefined,
    undefined,
  ]);
});
