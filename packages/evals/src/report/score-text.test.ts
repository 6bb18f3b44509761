import { expect, test } from 'vitest';
import { scoreText } from './score-text.ts';

test.for([
  [6.94e-18, {}, '0'],
  [-1e-15, {}, '0'],
  [1e-17, { kind: 'pass' }, '0 %'],
  [0.00012, {}, '0.00012'],
  [0.0004, { kind: 'pass' }, '0.04 %'],
  [0.9996, { kind: 'pass' }, '99.96 %'],
  [1999 / 2000, { kind: 'pass' }, '99.95 %'],
  [1, { kind: 'pass' }, '100 %'],
  [2.604, {}, '2.604'],
  [-1e99, {}, '-1.000e+99'],
  [0.25, { unit: 'ms' }, '0.25 ms'],
  [23.85, { unit: 'ms' }, '24 ms'],
  [-263.8, { unit: 'ms' }, '-264 ms'],
  [125_400, { unit: 'ms' }, '2 min 5 s'],
  [1.14e-7, { unit: 'USD' }, '$0.000000114'],
  [1973, { unit: 'tokens' }, '1,973 tokens'],
] as const)('%f of %o is %s', ([value, unit, text]) => {
  expect(scoreText(value, unit)).toBe(text);
});
