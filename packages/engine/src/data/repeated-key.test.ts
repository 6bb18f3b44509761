import { expect, test } from 'vitest';
import { parseJson } from '../value/json.ts';
import { repeatedKey } from './repeated-key.ts';

test.each([
  ['{"a": 1, "b": 2}', undefined],
  ['{"a": 1, "a": 2}', 'a'],
  ['{"a": 1.0, "\\u0061" : NaN}', 'a'],
  ['{"a": {"b": 1, "c": [{"b": 1}, {"b": 2}]}, "b": 3}', undefined],
  ['{"a": [{"b": 1, "c": 2, "b": 3}]}', 'b'],
  ['{"a": "\\"b\\": 1, \\"b\\": 2, \\\\", "c": "\\"c\\":"}', undefined],
  ['{"a": "\\"b\\": [{", "c": 1, "c": 2}', 'c'],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
  ['{"": 1, "": 2}', ''],
  ['{"a"\t: 1, "b"  : 2, "a"\t : 3}', 'a'],
])('%s names twice: %s', (text, key) => {
  expect(repeatedKey(text, parseJson(text))?.key).toBe(key);
});
