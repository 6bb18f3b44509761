import { expect, test } from 'vitest';
import { ownValue } from './own-value.ts';

test.for<[string, number | undefined]>([
  ['a', 1],
  ['b', undefined],
  ['constructor', undefined],
  ['toString', undefined],
  ['__proto__', undefined],
])('under %s stands %s', ([name, value]) => {
  expect(ownValue({ a: 1 }, name)).toBe(value);
});
