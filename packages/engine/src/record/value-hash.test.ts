import { expect, test } from 'vitest';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { isJson, valueHash } from './value-hash.ts';

class Other {}

test.for<readonly [what: string, value: unknown, isIt: boolean]>([
  ['null', null, true],
  ['a text', 'a', true],
  ['a float of Python', new Float(1), true],
  ['a mapping within a list', [{ a: [1] }], true],
  ['a mapping without a prototype', Object.assign(Object.create(null), { a: 1 }), true],
  ['an object of a class', new Other(), false],
  ['an object of a class within', { a: [new Other()] }, false],
  ['a Map', new Map(), false],
  ['a large list that ends in an object of a class', [...Array.from({ length: 200 }, () => [1]), new Other()], false],
])('whether %s is JSON through and through', ([, value, isIt]) => {
  for (let times = 0; times < 2; times += 1) expect(isJson(value as JsonValue)).toBe(isIt);
});

test.for<readonly [what: string, one: JsonValue, other: JsonValue, areSame: boolean]>([
  ['the same keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, false],
  ['equal mappings', { a: [1] }, { a: [1] }, true],
  ['an int and a float', 1, new Float(1), false],
  ['a number and its text', 1, '1', false],
  ['null and an empty text', null, '', false],
  ['long texts that differ at their end', 'x'.repeat(5000), `${'x'.repeat(4999)}y`, false],
  ['large lists that are equal', Array(5000).fill('x'), Array(5000).fill('x'), true],
])('digests of %s', ([, one, other, areSame]) => {
  for (let times = 0; times < 2; times += 1) {
    expect(valueHash(one)).toMatch(/^[0-9a-f]{32}$/);
    expect(valueHash(one) === valueHash(other)).toBe(areSame);
  }
});
