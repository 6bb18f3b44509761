import { expect, test } from 'vitest';
import type { PathStep } from '../flow/reference.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { inputNotFound, readProperty, unsupportedReference } from './read-property.ts';

const word = (name: string): PathStep => ({ kind: 'word', name });
const key = (name: string): PathStep => ({ kind: 'key', name });
const at = (index: number): PathStep => ({ kind: 'index', index });

test.for<[what: string, value: JsonValue, path: readonly PathStep[], read: JsonValue]>([
  ['nothing asked for', { a: 1 }, [], { a: 1 }],
  ['a word', { a: 1 }, [word('a')], 1],
  ['a key', { 'a b': [1] }, [key('a b')], [1]],
  ['an index', ['x', 'y'], [at(1)], 'y'],
  ['a character, as Python counts them', '日本😀語', [at(3)], '語'],
  ['deeper', { a: [{ b: { c: null } }] }, [word('a'), at(0), key('b'), word('c')], null],
])('%s', ([, value, path, read]) => {
  expect(readProperty('n', value, path, 'p')).toEqual({ ok: true, value: read });
});

test.for<[what: string, value: JsonValue, path: readonly PathStep[]]>([
  ['a word that is no key', { a: 1 }, [word('b')]],
  ['a word of an object of the language', {}, [word('constructor')]],
  ['a word of a text', 'text', [word('length')]],
  ['a word of a list', [1], [word('length')]],
  ['a key that is not there', { a: 1 }, [key('toString')]],
  ['an index past the end', [1], [at(1)]],
  ['an index in a mapping', { 0: 'x' }, [at(0)]],
  ['a character past the end', 'ab', [at(2)]],
])('what is not there is told with the whole path: %s', ([, value, path]) => {
  expect(readProperty('n', value, path, 'the.path')).toMatchObject({
    ok: false,
    error: {
      code: 'InvalidReferenceProperty',
      message:
        "Flow execution failed. Invalid property 'the.path' when accessing the node 'n'. Please check the property and try again.",
      retryable: false,
    },
  });
});

test.for<[what: string, value: JsonValue, path: readonly PathStep[], help: string | undefined]>([
  ['the nearest name', { finished: true, query: 'q' }, [word('finishd')], 'did you mean "finished"?'],
  [
    'the nearest key deeper down',
    { a: [{ 'first name': 1 }] },
    [word('a'), at(0), key('frist name')],
    'did you mean "first name"?',
  ],
  ['the names there are', { a: 1, b: 2 }, [word('other')], 'it has a, b'],
  [
    'the first of many',
    Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1])),
    [word('other')],
    'it has a, b, c, d, e, f, g, h, …',
  ],
  ['nothing of an empty mapping', {}, [word('a')], undefined],
  ['nothing of a list', [1], [at(1)], undefined],
  ['nothing of names that are texts', { ['x'.repeat(61)]: 1 }, [word('a')], undefined],
])('with %s', async ([, value, path, help]) => {
  const read = await readProperty('n', value, path, 'p');
  expect(read).toMatchObject({ ok: false, error: { code: 'InvalidReferenceProperty' } });
  expect(read.ok ? undefined : read.error.help).toBe(help);
});

test.for<[what: string, value: JsonValue, step: PathStep, message: string]>([
  ['a list', [1], key('a'), 'list indices must be integers or slices, not str'],
  ['a text', 'text', key('a'), "string indices must be integers, not 'str'"],
  ['null', null, at(0), "'NoneType' object is not subscriptable"],
  ['a truth', true, key('a'), "'bool' object is not subscriptable"],
  ['a number', 3, at(0), "'int' object is not subscriptable"],
  ['a large number', 3n, key('a'), "'int' object is not subscriptable"],
  ['a fraction', 3.5, at(0), "'float' object is not subscriptable"],
  ['a whole float', new Float(3) as unknown as JsonValue, at(0), "'float' object is not subscriptable"],
])('what has no items is a TypeError of Python: %s', ([, value, step, message]) => {
  const error = { code: 'TypeError', message, retryable: false };
  expect(readProperty('n', value, [step], 'p')).toEqual({ ok: false, error });
});

test('what the flow has not', () => {
  expect(inputNotFound('q', ['a', 'b'])).toEqual({
    code: 'InputNotFound',
    message:
      "Flow execution failed. The input 'q' is not found from flow inputs 'a, b'. Please check the input name and try again.",
    retryable: false,
  });
  expect(unsupportedReference('n', 'inputs')).toMatchObject({
    code: 'UnsupportedReference',
    retryable: false,
  });
});
