import { expect, test } from 'vitest';
import { Float } from './float.ts';
import { pythonJson } from './python-json.ts';

test.for([
  [{ k: [1, true, null] }, '{"k": [1, true, null]}'],
  [{}, '{}'],
  [[new Float(1), 0.5, 1e21, Number.NaN, -Infinity], '[1.0, 0.5, 1000000000000000000000, NaN, -Infinity]'],
  ['日本 "é"\n🎉', '"\\u65e5\\u672c \\"\\u00e9\\"\\n\\ud83c\\udf89"'],
] as const)('%j', ([value, text]) => {
  expect(pythonJson(value)).toBe(text);
});
