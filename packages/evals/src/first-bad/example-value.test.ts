import type { JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { exampleValue } from './example-value.ts';

test.for<[given: JsonValue, kept: JsonValue]>([
  ['x'.repeat(10_000), 'x'.repeat(10_000)],
  ['x'.repeat(10_001), `${'x'.repeat(10_000)}… (10001 characters)`],
  [`${'x'.repeat(9999)}😀`, `${'x'.repeat(9999)}… (10001 characters)`],
  [
    { a: 'x'.repeat(9_990), b: [1, 'abcdefghijk', null] },
    { a: 'x'.repeat(9_990), b: [1, 'abcdefgh… (11 characters)', null] },
  ],
  [Array.from({ length: 1002 }, () => 1), [...Array.from({ length: 1000 }, () => 1), '… 2 more']],
  [
    { 'data:image/png;base64': 'A'.repeat(4_000_000) },
    { 'data:image/png;base64': `${'A'.repeat(10_000 - 21)}… (4000000 characters)` },
  ],
])('case %#', ([given, kept]) => {
  expect(exampleValue(given)).toEqual(kept);
});

test('a mapping of many members tells how many follow', () => {
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, at]));
  const kept = exampleValue(many) as Record<string, JsonValue>;
  expect(Object.keys(kept)).toHaveLength(1001);
  expect(kept['…']).toBe('… 500 more');
});
