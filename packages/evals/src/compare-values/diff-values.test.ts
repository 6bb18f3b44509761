import { Float, type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { diffValues } from './diff-values.ts';

const told = (left: JsonValue, right: JsonValue): readonly string[] =>
  diffValues(left, right).map(({ path, ...change }) => {
    const [one, other] = [change.left, change.right].map((value) => (value === undefined ? '∅' : stringifyJson(value)));
    return `${path}: ${one} → ${other}`;
  });

const cases: readonly { readonly left: string; readonly right: string; readonly told: readonly string[] }[] = [
  { left: '{"a": 1, "b": 2}', right: '{"b": 2, "a": 1}', told: [] },
  { left: '1', right: '"1"', told: [': 1 → "1"'] },
  { left: '1', right: '1.0', told: [': 1 → 1.0'] },
  { left: '{"a": {"b": 1}}', right: '{"a": {"b": 2}}', told: ['a.b: 1 → 2'] },
  { left: '{"a": 1, "b": 1}', right: '{"c": 1, "b": 1}', told: ['c: ∅ → 1', 'a: 1 → ∅'] },
  { left: '{"a": null}', right: '{}', told: ['a: null → ∅'] },
  { left: '[1, 2, 3]', right: '[0, 1, 2, 3]', told: ['[0]: ∅ → 0'] },
  { left: '[1, 2, 3]', right: '[1, 3]', told: ['[1]: 2 → ∅'] },
  { left: '{"r": [{"n": "a"}, {"n": "b"}]}', right: '{"r": [{"n": "a"}, {"n": "c"}]}', told: ['r[1].n: "b" → "c"'] },
  {
    left: '[{"id": 1, "x": 1}, {"id": 2, "x": 1}]',
    right: '[{"id": 2, "x": 9}]',
    told: ['[0].x: 1 → 9', '[0]: {"id":1,"x":1} → ∅'],
  },
  { left: '[[1], "a"]', right: '["b", [1, 2]]', told: ['[0]: "a" → "b"', '[1][1]: ∅ → 2'] },
  {
    left: '{"個人 情報": 1, "同意": 1}',
    right: '{"個人 情報": 2, "同意": 2}',
    told: ['["個人 情報"]: 1 → 2', '同意: 1 → 2'],
  },
  {
    left: '{"arguments": "{\\"query\\": \\"同意\\", \\"k\\": 5}"}',
    right: '{"arguments": "{\\"query\\": \\"承諾\\", \\"k\\": 5}"}',
    told: ['arguments.query: "同意" → "承諾"'],
  },
  { left: '"{\\"a\\": 1}"', right: '"{ \\"a\\": 1}"', told: [': "{\\"a\\": 1}" → "{ \\"a\\": 1}"'] },
  { left: '[1]', right: '{"a": 1}', told: [': [1] → {"a":1}'] },
  { left: '{"0": 1}', right: '[1]', told: [': {"0":1} → [1]'] },
  { left: '{"a": 1}', right: '"text"', told: [': {"a":1} → "text"'] },
  { left: '"[1, 2]"', right: '"plain"', told: [': "[1, 2]" → "plain"'] },
  { left: '"plain"', right: '" [1, 2]"', told: [': "plain" → " [1, 2]"'] },
  { left: '"{broken"', right: '"[1]"', told: [': "{broken" → "[1]"'] },
  { left: '" [1, 2]"', right: '"\\n[1, 3]"', told: ['[1]: 2 → 3'] },
  {
    left: '[{"id": "a", "x": 1}]',
    right: '[{"id": "b", "x": 1}]',
    told: ['[0]: ∅ → {"id":"b","x":1}', '[0]: {"id":"a","x":1} → ∅'],
  },
  {
    left: '[{"id": 1, "x": 1}]',
    right: '[{"id": "1", "x": 1}]',
    told: ['[0]: ∅ → {"id":"1","x":1}', '[0]: {"id":1,"x":1} → ∅'],
  },
  { left: '[{"id": "a", "x": 1}]', right: '[{"x": 2}]', told: ['[0].x: 1 → 2', '[0].id: "a" → ∅'] },
  { left: '[{"x": 1}]', right: '[{"id": [1], "x": 2}]', told: ['[0].id: ∅ → [1]', '[0].x: 1 → 2'] },
  { left: '[null]', right: '["a"]', told: ['[0]: ∅ → "a"', '[0]: null → ∅'] },
  { left: '[[1], {"a": 1}]', right: '[{"a": 2}, [2]]', told: ['[0].a: 1 → 2', '[1][0]: 1 → 2'] },
  { left: '{"__proto__": 1}', right: '{"__proto__": 2}', told: ['__proto__: 1 → 2'] },
];

test.for(cases)('$left to $right', ({ left, right, told: expected }) => {
  expect(told(parseJson(left), parseJson(right))).toEqual(expected);
});

test('floats and big ints are values, no mappings', () => {
  expect(told([new Float(1), 2n ** 70n], [new Float(2), 2n ** 71n])).toEqual([
    '[0]: 1.0 → 2.0',
    '[1]: 1180591620717411303424 → 2361183241434822606848',
  ]);
});

test('what was added has no left side, and what was removed no right one', () => {
  expect(diffValues({ a: 1 }, { b: 2 })).toStrictEqual([
    { path: 'b', right: 2 },
    { path: 'a', left: 1 },
  ]);
  expect(diffValues([1], [])).toStrictEqual([{ path: '[0]', left: 1 }]);
});
