import { expect, test } from 'vitest';
import { signFlipTest } from './paired-difference.ts';
import { randomStream } from './random-stream.ts';

const rows = 4_001;

/** Up to 4,000 rows that differ signs are drawn: one row that differs less than the noise more or less. */
function bothWays(
  differenceOf: (random: () => number, row: number) => number,
): readonly [drawn: number, worked: number] {
  const random = randomStream(11);
  const differences = Array.from({ length: rows }, (_, row) => differenceOf(random, row));
  return [signFlipTest(differences.slice(0, rows - 1)), signFlipTest(differences)];
}

test.for<readonly [name: string, differenceOf: (random: () => number, row: number) => number]>([
  ['no difference', (random) => random() - 0.5],
  ['a small one', (random) => random() - 0.489],
  ['ones and zeros', (random) => (random() < 0.485 ? 1 : -1)],
  ['a few rows weigh more', (random, row) => (row % 40 === 0 ? 20 : 1) * (random() - 0.47)],
])('beyond the draws p is what they tend to: %s', ([, differenceOf]) => {
  const [drawn, worked] = bothWays(differenceOf);
  expect(Math.abs(drawn - worked)).toBeLessThan(0.02);
});

test('a large difference has the least p that can be drawn, on both sides', () => {
  const [drawn, worked] = bothWays((random) => random() - 0.4);
  expect([drawn, worked]).toEqual([1 / 10_001, 1 / 10_001]);
});

test('where one row outweighs the rest, signs are drawn: it alone decides', () => {
  const differences = Array.from({ length: 5_000 }, (_, row) => (row === 0 ? 1_000 : row % 2 === 0 ? 0.001 : -0.001));
  expect(signFlipTest(differences)).toBeGreaterThan(0.4);
});
