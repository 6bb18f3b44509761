import { expect, test } from 'vitest';
import { formatDuration, formatScore } from './format-amounts.ts';

test.for([
  [0, '<1 ms'],
  [0.9, '<1 ms'],
  [1.4, '1 ms'],
  [999, '999 ms'],
  [999.7, '1.00 s'],
  [1234, '1.23 s'],
  [12_340, '12.3 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
] as const)('%f ms is %s', ([ms, text]) => {
  expect(formatDuration(ms)).toBe(text);
});

test.for([
  [12.3456, '12.3'],
  [0.5, '0.500'],
  [0.016393, '0.0164'],
  [0.001, '0.00100'],
  [0.00000031, '<0.001'],
  [-0.00000031, '-0.000000310'],
  [0, '0.00'],
  [-1.5, '-1.50'],
] as const)('a score of %f is %s', ([score, text]) => {
  expect(formatScore(score)).toBe(text);
});
