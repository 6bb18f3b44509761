import { expect, test } from 'vitest';
import type { MetricResult } from '../eval-result/eval-result.ts';
import { flipTest } from '../statistics/flip-test.ts';
import { permutationTest } from '../statistics/permutation-test.ts';
import { bestFirst, oracleGain } from './oracle-gain.ts';

/** Scores by line; `1,0` are two repetitions of a row. */
function metricOf(scores: Readonly<Record<number, string>>, better: 'higher' | 'lower' = 'higher'): MetricResult {
  const flat = Object.entries(scores).flatMap(([line, values]) =>
    values.split(',').map((value, repeat) => ({ line: Number(line), repeat, value: Number(value) })),
  );
  return {
    name: 'right',
    on: 'outputs.answer',
    evaluator: 'equals',
    kind: 'pass',
    better,
    summary: { mean: null, scored: flat.length, unscored: [], errors: 0 },
    scores: {
      lines: flat.map(({ line }) => line),
      repeats: flat.map(({ repeat }) => repeat),
      values: flat.map(({ value }) => value),
    },
  };
}

const was = { 0: '0', 1: '0', 2: '1', 3: '0' };

test.for<[string, Readonly<Record<number, string>>, readonly number[], object]>([
  [
    'two of four rows come right',
    { 0: '1', 1: '1' },
    [0, 1],
    { before: 0.25, after: 0.75, gain: 0.5, given: 2, lost: 0 },
  ],
  ['rows in which nothing was given stay', { 0: '1' }, [0], { before: 0.25, after: 0.5, gain: 0.25, given: 1 }],
  ['it makes things worse', { 2: '0' }, [2], { before: 0.25, after: 0, gain: -0.25 }],
  ['a row that failed then is left out', { 0: '1' }, [0, 1], { lost: 1, before: 1 / 3, after: 2 / 3, gain: 1 / 3 }],
  ['nothing changes', { 0: '0' }, [0], { gain: 0, pValue: 1, isSignificant: false }],
])('%s', ([, after, given, gain]) => {
  expect(oracleGain('find', metricOf(was), metricOf(after), new Set(given), 1)).toMatchObject(gain);
});

test('where less is better a fall is a gain, and its interval turns', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, line) => [line, String(4 + (line % 3))]));
  const fewer = Object.fromEntries(Array.from({ length: 20 }, (_, line) => [line, '2']));
  const found = oracleGain(
    'find',
    metricOf(many, 'lower'),
    metricOf(fewer, 'lower'),
    new Set(Object.keys(many).map(Number)),
    1,
  );
  expect(found.gain).toBeCloseTo(2.95);
  expect(found.isSignificant).toBe(true);
  expect(found.interval?.low).toBeGreaterThan(2);
  expect(found.interval?.high).toBeGreaterThan(found.interval?.low ?? 0);
});

test('repetitions of a row are one observation', () => {
  const found = oracleGain('find', metricOf({ 0: '0,1', 1: '1,1' }), metricOf({ 0: '1,1' }), new Set([0]), 1);
  expect(found).toMatchObject({ before: 0.75, after: 1, gain: 0.25 });
});

test('the best comes first, equal ones in the order of the flow', () => {
  const of = (node: string, gain: number) => ({
    ...oracleGain(node, metricOf(was), metricOf(was), new Set(), 1),
    gain,
  });
  expect(bestFirst([of('a', 0), of('b', 0.2), of('c', 0.2), of('d', -1)]).map(({ node }) => node)).toEqual([
    ...['b', 'c', 'a', 'd'],
  ]);
});

const turned = (to: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, line) => [line, to]));

test('passes are told apart by the exact test, numbers by permuting, each with its interval', () => {
  const [old, given] = [turned('0', 12), { ...turned('1', 7), 7: '0' }];
  const lines = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
  const passes = oracleGain('find', metricOf(old), metricOf(given), lines, 1);
  const byFlips = flipTest({ fixed: 7, broken: 0 }, 12);
  expect(passes).toMatchObject({ gain: 7 / 12, pValue: byFlips.pValue, interval: byFlips.intervalAt(0.05) });
  const asNumbers = (scores: Readonly<Record<number, string>>): MetricResult => ({
    ...metricOf(scores),
    kind: 'number',
  });
  const differences = Array.from({ length: 12 }, (_, line) => (line < 7 ? 1 : 0));
  const numbers = oracleGain('find', asNumbers(old), asNumbers(given), lines, 1);
  expect(numbers.interval).toEqual(permutationTest(differences, 1).intervalAt(0.05));
});

test('more rows than are looked at whole are drawn by the seed', () => {
  const old = Object.fromEntries(Array.from({ length: 30 }, (_, line) => [line, String(Math.sin(line))]));
  const now = Object.fromEntries(Array.from({ length: 30 }, (_, line) => [line, String(Math.cos(3 * line))]));
  const gainBy = (seed: number) =>
    oracleGain('find', metricOf(old), metricOf(now), new Set(Array.from({ length: 30 }, (_, line) => line)), seed);
  expect(gainBy(1)).toEqual(gainBy(1));
  expect(gainBy(1).interval).not.toEqual(gainBy(2).interval);
});

test('no row that was scored before: nothing gained', () => {
  expect(oracleGain('find', metricOf({}), metricOf({ 0: '1' }), new Set([0]), 1)).toMatchObject({
    before: null,
    after: null,
    gain: 0,
    isSignificant: false,
  });
});
