import { expect, test } from 'vitest';
import { completeMapping, mapRow, referencesInTexts, setsOf } from './map-columns.ts';

test('a mapping is made whole: written, then defaults, then columns of the same name', () => {
  const inputs = [{ name: 'a', default: 1 }, { name: 'b' }, { name: 'c', default: null }, { name: 'd' }];
  expect(completeMapping(inputs, { d: 'literal', extra: 3 })).toEqual({
    b: '${data.b}',
    c: '${data.c}',
    d: 'literal',
    extra: 3,
  });
});

test.for([
  ['${data.q}', 'question'],
  ['${run.outputs.answer}', 'yes'],
  ['${data.with.dot}', 'dotted'],
  ['${data.q} ', '${data.q} '],
  ['${data.q}\n', 'question'],
  ['${data.q}\n\n', '${data.q}\n\n'],
  ['a ${data.q}', 'a ${data.q}'],
  [7, 7],
  [['${data.q}'], ['${data.q}']],
] as const)('%j gives %j', ([source, value]) => {
  const sets = { data: { q: 'question', 'with.dot': 'dotted' }, 'run.outputs': { answer: 'yes' } };
  expect(mapRow(sets, { x: source, line_number: '${data.none}' })).toEqual({ ok: true, inputs: { x: value } });
});

test('all relations that are not found are told at once', () => {
  expect(mapRow({ data: { q: 1 } }, { a: '${data.b}', b: '${data.q}', c: '${other.q}' })).toEqual({
    ok: false,
    notFound: ['${data.b}', '${other.q}'],
  });
});

test('the sets a mapping reads', () => {
  const known = ['data', 'run.inputs', 'run.outputs'];
  expect([...setsOf({ a: '${run.outputs.x}', b: '${data.y}', c: 'run.inputs.z' }, known)]).toEqual([
    'data',
    'run.outputs',
  ]);
});

test('only sets and columns that were given are read, none that every object has', () => {
  const mapping = { a: '${constructor.name}', b: '${data.constructor}', c: '${toString.length}', d: '${__proto__.x}' };
  expect(mapRow({ data: { q: 1 } }, mapping)).toEqual({ ok: false, notFound: Object.values(mapping) });
});

test('an input may have any name', () => {
  const mapped = mapRow({ data: { q: 1 } }, completeMapping([{ name: '__proto__' }], { ['__proto__']: '${data.q}' }));
  expect(mapped.ok && Object.entries(mapped.inputs)).toEqual([['__proto__', 1]]);
});

test.for([
  ['${data.q', true],
  ['about ${data.q}', true],
  ['${run.outputs.a}${data.q}', true],
  ['${data.q}', false],
  ['${other.q', false],
  ['data.q', false],
  [5, false],
] as const)('a text with the beginning of a reference in it: %s', ([given, isTold]) => {
  expect(referencesInTexts({ q: given })).toEqual(isTold ? [{ input: 'q', text: given }] : []);
});
