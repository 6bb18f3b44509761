import type { NodeRun, RowRun } from '@unroll/engine';
import { expect, test } from 'vitest';
import { totalsText } from './outcome-text.ts';

const row: RowRun = { line: 0, status: 'Completed', inputs: {}, outputs: {}, startedAt: 1000, durationMs: 7 };
const ran: NodeRun = {
  ...{ line: 0, node: 'n', kind: 'python', status: 'Completed', inputs: {}, output: 1 },
  ...{ startedAt: 1001, durationMs: 5 },
};

test.for([
  { what: 'a row', more: {}, told: 'completed in 7 ms, 2 nodes ran' },
  {
    what: 'a row with a node over all rows, which runs after it',
    more: { startedAt: 1010, durationMs: 1400 },
    told: 'completed in 1.41 s, 2 nodes ran',
  },
  {
    what: 'a node that was taken from an earlier run',
    more: { startedAt: 1010, durationMs: 1400, cache: 'hit', cachedFrom: 'before' },
    told: 'completed in 7 ms, 1 node ran, 1 taken from before',
  },
  {
    what: 'a node that did not run',
    more: { status: 'NotRun' },
    told: 'completed in 7 ms, 1 node ran, 1 not run',
  },
] as const)('$what: $told', ({ more, told }) => {
  expect(totalsText(row, [ran, { ...ran, ...more }])).toBe(told);
});
