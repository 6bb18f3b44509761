import type { Mutant } from '@stryker-mutator/api/core';
import { expect, test } from 'vitest';
import { notInSample, sampleOf } from './mutant-sample.ts';
import { mutationScore, scoreText } from './mutation-score.ts';
import { mutationTests } from './mutation-tests.ts';

const mutants: readonly Mutant[] = Array.from({ length: 1000 }, (_, line) => ({
  id: String(line),
  fileName: '/project/packages/engine/src/plan/bind.ts',
  location: { start: { line, column: 0 }, end: { line, column: 5 } },
  mutatorName: 'BooleanLiteral',
  replacement: 'false',
}));
const found = (mutant: Mutant): string => `${mutant.location.start.line}`;

test('a sample has its size, is the same for a seed in whatever order, and another for another seed', () => {
  const sample = sampleOf(mutants, 100, 'a');
  expect(sample.size).toBe(100);
  expect(sampleOf(mutants.toReversed(), 100, 'a')).toEqual(sample);
  expect(sampleOf(mutants, 100, 'b')).not.toEqual(sample);
  const renumbered = mutants.map((mutant) => ({ ...mutant, id: `n${mutant.id}` }));
  const lines = (all: readonly Mutant[], ids: ReadonlySet<string>) => all.filter(({ id }) => ids.has(id)).map(found);
  expect(lines(renumbered, sampleOf(renumbered, 100, 'a'))).toEqual(lines(mutants, sample));
});

test('a sample takes from all of the code alike', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const id of sampleOf(mutants, 500, 'a'))
    tenths[Math.floor(Number(id) / 100)] = (tenths[Math.floor(Number(id) / 100)] ?? 0) + 1;
  expect(Math.min(...tenths)).toBeGreaterThan(35);
});

const statuses = (count: number, status: string, statusReason?: string) =>
  Array.from({ length: count }, () => ({ status, ...(statusReason === undefined ? {} : { statusReason }) }));

test.for([
  {
    is: 'all of a folder',
    mutants: [
      ...statuses(7, 'Killed'),
      ...statuses(1, 'Timeout'),
      ...statuses(2, 'Survived'),
      ...statuses(3, 'Ignored'),
    ],
    text: 'f: 80.0 %; tried 10, killed 8 (1 by time), survived 2 (0 in what no test runs through); left out 3 at load',
  },
  {
    is: 'a sample',
    mutants: [
      ...statuses(80, 'Killed'),
      ...statuses(15, 'Survived'),
      ...statuses(5, 'NoCoverage'),
      ...statuses(900, 'CompileError', notInSample),
    ],
    text: 'f: 80.0 % [71.1 %, 86.7 %]; tried 100 of 1000, killed 80 (0 by time), survived 20 (5 in what no test runs through); left out 0 at load',
  },
  { is: 'what does not compile', mutants: statuses(3, 'CompileError', 'types'), text: 'f: nothing to change' },
])('the score of $is', ({ mutants, text }) => {
  const half = Math.floor(mutants.length / 2);
  const report = { files: { a: { mutants: mutants.slice(0, half) }, b: { mutants: mutants.slice(half) } } };
  expect(scoreText('f', mutationScore(report))).toBe(text);
});

test('the tests of a folder are its own and those of its users, without what takes minutes', () => {
  const tests = mutationTests('packages/engine/src/record');
  expect(tests).toContain('packages/engine/src/record/run-log.test.ts');
  expect(tests).toContain('packages/engine/src/run/run-plan.test.ts');
  expect(mutationTests('packages/evals/src/compare-scores')).not.toContain(
    'packages/evals/src/compare-scores/verdict-and-interval.test.ts',
  );
  expect(tests).not.toContain('packages/engine/src/flow/yaml-document.test.ts');
  expect(new Set(tests).size).toBe(tests.length);
});
