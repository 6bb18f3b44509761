import { expect, test } from 'vitest';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RunLine } from '../studio-contract/contract.ts';
import { noFigure } from './figures.ts';
import { withIndex } from './run-page.ts';

const none = noFigure('number', { told: 'the record is damaged' });
const line = { startedAt: 1000, status: 'Unreadable', tokens: none, cost: none, duration: none } as unknown as RunLine;
const index = { size: 0, nodes: new Map(), overRows: new Map(), endedAt: 1500 } as unknown as RowIndex;

test('what was read of a damaged record is not told as if it were all of it', () => {
  expect(withIndex({ ...line, problem: 'the record is damaged' }, index)).toMatchObject({
    tokens: none,
    duration: none,
  });
  expect(withIndex(line, index)).toMatchObject({ tokens: { value: 0 }, duration: { value: 500 } });
});
