import { expect, test } from 'vitest';
import { shortened } from './shorten.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}`).join('\n');

test.for([
  { name: 'a short text', text: 'a\nb', most: 12, expected: 'a\nb' },
  { name: 'two lines more', text: lines(14), most: 12, expected: lines(14) },
  { name: 'many lines', text: lines(100), most: 12, expected: lines(12) },
  { name: 'one line without end', text: 'x'.repeat(10_000), most: 2, expected: 'x'.repeat(220) },
  { name: 'nothing', text: '', most: 12, expected: '' },
])('$name', ({ text, most, expected }) => {
  expect(shortened(text, most)).toBe(expected);
});
