import { expect, test } from 'vitest';
import { scoreText } from './score-text.ts';

test.for([
  [6.94e-18, {}, '0'],
  [-1e-15, {}, '0'],
  [1e-17, { kind: 'pass' }, '0 %'],
  [0.00012, {}, '0.00012'],
  [0.0004, { kind: 'pass' }, '0.04 %'],
  [2.604, {}, '2.604'],
  [1973, { unit: 'tokens' }, '1,973 tokens'],
] as const)('%f of %o is %s', ([value, unit, text]) => {
  expect(scoreText(value, unit)).toBe(text);
});
