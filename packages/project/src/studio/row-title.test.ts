import { expect, test } from 'vitest';
import { titleOf } from './row-page.ts';

test.for([
  [{ id: 7, question: 'どこですか' }, 'どこですか'],
  [{ id: 7, question: ' ' }, '7'],
  [{ question: '' }, ''],
  [{}, ''],
] as const)('a row given %j is about "%s"', ([inputs, title]) => {
  expect(titleOf({ inputs })).toBe(title);
});
