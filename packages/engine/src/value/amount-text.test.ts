import { expect, test } from 'vitest';
import { dollarsText, durationText } from './amount-text.ts';

test.for([
  [0, '$0.00'],
  [1.14e-7, '$0.000000114'],
  [0.00421, '$0.00421'],
  [0.01, '$0.01'],
  [0.4, '$0.40'],
  [0.9996, '$1.00'],
  [12.345, '$12.35'],
  [-0.05, '-$0.05'],
  [4321, '$4,321.00'],
] as const)('%d US dollars: %s', ([dollars, text]) => {
  expect(dollarsText(dollars)).toBe(text);
});

test.for([
  [0.4, '<1 ms'],
  [23.85, '24 ms'],
  [999.6, '1.00 s'],
  [59_960, '1 min 0 s'],
] as const)('%d ms: %s', ([ms, text]) => {
  expect(durationText(ms)).toBe(text);
});
