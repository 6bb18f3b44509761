import {
  costOf,
  createProgress,
  createQuantiles,
  createRate,
  findPrices,
  parseRowName,
  priceOf,
  readDotenv,
  rowName,
} from '@unroll/project';
import { formatAge, formatClock, formatCost, formatLeft, formatRate, formatSize } from '@unroll/project/words';
import { expect, test } from 'vitest';
import { createChangeReporter } from './progress-reporter.ts';

test('quantiles are within 1 % of the true ones', () => {
  const quantiles = createQuantiles();
  expect(quantiles.at(0.5)).toBeUndefined();
  for (let ms = 1; ms <= 10_000; ms += 1) quantiles.add(ms);
  for (const share of [0.01, 0.5, 0.95, 1]) {
    expect(Math.abs((quantiles.at(share) ?? 0) / (share * 10_000) - 1)).toBeLessThanOrEqual(0.0101);
  }
  quantiles.add(0);
  expect(quantiles.at(0)).toBeLessThan(0.01);
});

test('a rate forgets what is longer ago than its window', () => {
  const rate = createRate(0);
  expect(rate.note(100, 50)).toBeUndefined();
  expect(rate.note(10_000, 100)).toBe(10);
  for (let at = 11_000; at <= 40_000; at += 1_000) rate.note(at, 100 + (at - 10_000) / 500);
  expect(rate.note(41_000, 162)).toBeCloseTo(2, 1);
});

test.for([
  ['gpt-4o', 2.5],
  ['gpt-4o-2024-08-06', 2.5],
  ['GPT-4o-mini', 0.15],
  ['gpt-35-turbo-0613', 0.5],
  ['my-deployment', undefined],
] as const)('a million tokens to %s cost %s dollars', ([model, dollars]) => {
  const io = { environment: {}, folder: '/nowhere' } as Parameters<typeof findPrices>[0];
  const price = priceOf(model, findPrices(io));
  const usage = { promptTokens: 1_000_000, completionTokens: 0, totalTokens: 1_000_000 };
  expect(price === undefined ? undefined : costOf(usage, price)).toBe(dollars);
});

test('a line of progress is told every five seconds where rows ended, every ten where none did', () => {
  const told: string[] = [];
  const teller = createChangeReporter((line) => told.push(line));
  const nodes = [
    { name: 'ask', kind: 'llm' },
    { name: 'search', kind: 'lookup' },
  ];
  const progress = createProgress({ nodes, startedAt: 0, total: 4 });
  const end = (line: number): void => {
    progress.rowStarted();
    progress.rowEnded({ line, status: 'Completed' });
  };
  for (const [at, row] of [
    [1_000, 0],
    [5_000, undefined],
    [9_000, undefined],
    [10_000, 1],
    [12_000, 2],
  ] as const) {
    if (row !== undefined) end(row);
    teller.tell(progress.view(at));
  }
  for (const node of ['search', 'ask', 'ask']) {
    progress.rowStarted();
    progress.nodeStarted(node);
  }
  for (let at = 13_000; at <= 40_000; at += 1_000) teller.tell(progress.view(at));
  teller.tell(progress.view(41_000), true);
  teller.tell(progress.view(42_000), true);
  expect(told).toEqual([
    '5 s  1 of 4  25 %  0.20/s  15 s left',
    '10 s  2 of 4  50 %  0.20/s  10 s left',
    '15 s  3 of 4  75 %  3 in flight  0.20/s  5 s left  waiting for ask 2, search 1',
    '25 s  3 of 4  75 %  3 in flight  0.13/s  8 s left  waiting for ask 2, search 1',
    '35 s  3 of 4  75 %  3 in flight  waiting for ask 2, search 1',
  ]);
});

test.for([
  ['A=1', { A: '1' }],
  ['export A = 1 # one', { A: '1' }],
  ['# A=1\n\nB="two words" # b\nC=\'$x # y\'', { B: 'two words', C: '$x # y' }],
  ['A="line\\nbreak"\r\nB=', { A: 'line\nbreak', B: '' }],
] as const)('%j holds %j', ([text, variables]) => {
  expect(readDotenv(text)).toEqual(variables);
});

test('rows are named by line and repetition', () => {
  expect([rowName({ line: 3 }), rowName({ line: 3, repeat: 2 })]).toEqual(['3', '3/2']);
  expect(['3', '3/2', '3/', 'x'].map(parseRowName)).toEqual([
    { line: 3, repeat: 0 },
    { line: 3, repeat: 2 },
    undefined,
    undefined,
  ]);
});

test('amounts for people', () => {
  expect([0.05, 34.21, 1204.4].map(formatRate)).toEqual(['0.05/s', '34.2/s', '1,204/s']);
  expect([formatCost(0, false), formatCost(0.00421, true), formatCost(12.345, false)]).toEqual([
    '$0.00',
    '$0.00421 (partial)',
    '$12.35',
  ]);
  expect([7_200, 100_000, 7_500_000].map(formatLeft)).toEqual(['8 s', '2 min', '2 h 5 min']);
  expect([7_900, 725_000, 3_723_000].map(formatClock)).toEqual(['0:07', '12:05', '1:02:03']);
  expect([12_000, 300_000, 10_800_000, 86_400_000, 800_000_000].map(formatAge)).toEqual([
    '12 s',
    '5 min',
    '3 h',
    '1 day',
    '9 days',
  ]);
  expect([0, 812, 4_200_000].map(formatSize)).toEqual(['0 B', '812 B', '4.2 MB']);
});
