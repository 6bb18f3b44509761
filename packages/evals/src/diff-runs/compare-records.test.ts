import type { NodeRun } from '@unroll/engine';
import { expect, test } from 'vitest';
import { compareRecords } from './compare-records.ts';

const run = (line: number, node: string, rest: Partial<NodeRun> = {}): NodeRun => {
  return { line, node, kind: 'python', status: 'Completed', output: 1, startedAt: 1, durationMs: 1, ...rest };
};
const failed = (message: string): Partial<NodeRun> => {
  return { status: 'Failed', error: { code: 'E', message, retryable: false } };
};

test.for([
  { left: run(0, 'a'), right: run(0, 'a', { startedAt: 9, durationMs: 9 }), told: 'same' },
  { left: run(0, 'a', { output: { x: 1, y: [2] } }), right: run(0, 'a', { output: { y: [2], x: 1 } }), told: 'same' },
  { left: run(0, 'a'), right: run(0, 'a', { output: '1' }), told: 'output differs' },
  { left: run(0, 'a', failed('m')), right: run(0, 'a', failed('n')), told: 'output differs' },
  { left: run(0, 'a', failed('m')), right: run(0, 'a'), told: 'status differs' },
])('$told', ({ left, right, told }) => {
  expect(compareRecords([left], [right])).toEqual([{ line: 0, node: 'a', class: told, left, right }]);
});

test('nodes of one run only are told, in order of line', () => {
  const left = [run(1, 'a'), run(0, 'a'), run(0, 'b')];
  const right = [run(0, 'b'), run(0, 'c'), run(1, 'a')];
  expect(compareRecords(left, right).map((entry) => `${entry.line} ${entry.node} ${entry.class}`)).toEqual([
    '0 a only in left',
    '0 b same',
    '0 c only in right',
    '1 a same',
  ]);
});
