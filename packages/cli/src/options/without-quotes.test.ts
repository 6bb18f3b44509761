import { expect, test } from 'vitest';
import { withoutQuotes } from './without-quotes.ts';

test.for([
  ["'${data.q}'", '${data.q}'],
  ['"a b"', 'a b'],
  ['\'a"', '\'a"'],
  ["it's", "it's"],
  ["'", "'"],
  ['""', ''],
  ["'a\nb'", 'a\nb'],
  ["''a''", "'a'"],
] as const)('%s is read as %s', ([written, value]) => {
  expect(withoutQuotes(written)).toBe(value);
});
