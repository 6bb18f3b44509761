import type { RunInfo } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RunLine } from '../studio-contract/contract.ts';
import { noFigure } from './figures.ts';
import { runPage, withIndex } from './run-page.ts';

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

test.for([
  ['en', 'replayed from tapes/a.yaml'],
  ['ja', 'tapes/a.yaml から再生'],
] as const)('what a cassette answered is not told as if it were billed: %s', async ([language, note]) => {
  const info = { nodes: [], options: { cassette: { replay: 'tapes/a.yaml' } } } as unknown as RunInfo;
  const rest = {
    index: undefined,
    work: undefined,
    scored: undefined,
    against: undefined,
    evaluations: [],
    pending: [],
  };
  const { facts } = await runPage({ line: { ...line, rows: none, failed: none }, info, ...rest, language } as never);
  expect(facts.find(({ name }) => name === 'cost')?.note).toBe(note);
});

test('what nodes logged is told by name, a number as it is written', async () => {
  const info = { nodes: [] } as unknown as RunInfo;
  const logged = { ...index, lines: [], failures: [], loops: new Map(), metrics: { accuracy: 0.75, 内訳: { a: 1 } } };
  const rest = { index: logged, work: undefined, scored: undefined, against: undefined, evaluations: [], pending: [] };
  const page = await runPage({ line: { ...line, rows: none, failed: none }, info, ...rest } as never);
  expect(page.logged).toEqual([
    { name: 'accuracy', text: '0.75' },
    { name: '内訳', text: '{a: 1}' },
  ]);
});
