import { expect, test } from 'vitest';
import { changedNames } from './changes.ts';

test.each([
  [['a.jinja2', 'b.ts'], 'a.jinja2, b.ts'],
  [['a\nserved.txt'], '"a\\nserved.txt"'],
  [Array.from({ length: 10_000 }, (_, at) => `${at}`), '0, 1, 2, 3, 4, 5, 6, 7 and 9,992 more'],
])('what changed is told in one line', (paths, told) => {
  expect(changedNames(paths)).toBe(told);
});
