import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Redactor } from '../secrets/redactor.ts';
import { Float } from './float.ts';
import { isPlainObject } from './plain-object.ts';
import { pythonRepr } from './python-text.ts';

class Own {}

test.for<[string, object, boolean]>([
  ['a literal', {}, true],
  ['what JSON.parse makes', JSON.parse('{"__proto__": 1}') as object, true],
  ['a mapping without a prototype', Object.create(null) as object, true],
  ['a literal of another realm', runInNewContext('({ a: 1 })') as object, true],
  ['an instance', new Own(), false],
  ['an instance of another realm', runInNewContext('new (class Own {})()') as object, false],
  ['a list', [], false],
  ['a list of another realm', runInNewContext('[]') as object, false],
  ['a date', new Date(0), false],
  ['a map', new Map(), false],
  ['a function', () => 1, false],
  ['a float of Python’s', new Float(1), false],
])('%s', ([, value, isPlain]) => {
  expect(isPlainObject(value)).toBe(isPlain);
});

test('a mapping of another realm is printed and redacted as one of this realm', () => {
  const value = runInNewContext('({ a: [{ key: "sk-secret-0123456789" }] })') as never;
  expect(pythonRepr(value)).toBe("{'a': [{'key': 'sk-secret-0123456789'}]}");
  const redactor = new Redactor().with(['sk-secret-0123456789']);
  expect(JSON.stringify(redactor.value(value))).toBe('{"a":[{"key":"***"}]}');
});
