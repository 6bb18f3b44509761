import type { ProgressView } from '@unroll/project';
import { expect, test } from 'vitest';
import { createStyle } from '../text/style.ts';
import { bulkSummaryText } from './bulk-summary.ts';

const rows = { completed: 4, failed: 0, canceled: 0, unfinished: 0, cached: 0, inFlight: 0, total: 4 };
const view: ProgressView = { rows, groups: [], failures: [], isCostPartial: false, elapsedMs: 1500 };
const summary = {
  ...{ view, metrics: {}, record: { id: 'r', path: '.flow/runs/r.run' }, run: 'r' },
  ...{ status: 'Completed' as const, next: ['flow show r'] },
};

test.for([
  [false, 'completed in 1.50 s, 4 rows completed'],
  [true, 'completed in 1.50 s since it went on, 4 rows completed'],
] as const)('the time of a run that went on (%s) is not that of all its rows', ([isResumed, first]) => {
  const lines = bulkSummaryText({ ...summary, isResumed }, createStyle(false), 100).split('\n');
  expect(lines).toContain(first);
});

test('a metric logged by several lines, or by a very long text, keeps to its line', () => {
  const metrics = { 'acc\nuracy': 0.5, ['x'.repeat(500)]: 1 };
  const lines = bulkSummaryText({ ...summary, metrics }, createStyle(false), 100).split('\n');
  expect(lines.slice(lines.indexOf('metrics') + 1, -1).slice(0, 2)).toEqual([
    '  acc uracy  0.5',
    `  ${'x'.repeat(59)}…  1`,
  ]);
});
