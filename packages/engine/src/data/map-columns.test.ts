import { expect, test } from 'vitest';
import { joinSets } from './join-sets.ts';
import { completeMapping, mapRow, setsOf } from './map-columns.ts';

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

test('sets are joined by line number where they have one', () => {
  const data = [{ q: 'a' }, { q: 'b' }, { q: 'c' }];
  const outputs = [
    { line_number: 2, o: 'C' },
    { line_number: 0, o: 'A' },
  ];
  const joined = joinSets({ data, 'run.outputs': outputs }, { q: '${data.q}', o: '${run.outputs.o}' });
  expect(joined).toEqual({
    ok: true,
    rows: [
      { line: 0, values: { q: 'a', o: 'A' } },
      { line: 2, values: { q: 'c', o: 'C' } },
    ],
  });
});

test.for([
  [
    { data: [], other: [{ a: 1 }] },
    "Input from key 'data' is an empty list, which means we cannot generate a single line input",
  ],
  [
    { data: [{ a: 1 }], other: [{ a: 1 }, { a: 2 }] },
    "Line numbers are not aligned. Some lists have dictionaries missing the 'line_number' key, and the lengths of these lists are different. List lengths are: {'data': 1, 'other': 2}.",
  ],
  [{ data: [{ line_number: 1, a: 1 }], other: [{ a: 1 }] }, 'Could not find one complete line on the provided input.'],
  [{ data: [{ a: 1 }, { b: 1 }] }, "Couldn't find these mapping relations: ${data.a}."],
] as const)('%j is refused', ([sets, message]) => {
  const joined = joinSets(sets, { a: '${data.a}' });
  expect(joined.ok).toBe(false);
  expect(!joined.ok && joined.error.message).toContain(message);
});
