import { expect, test } from 'vitest';
import { Float } from './float.ts';
import { pythonRepr, pythonStr } from './python-text.ts';

test.for<readonly [unknown, string]>([
  [null, 'None'],
  [true, 'True'],
  [3, '3'],
  [1e21, '1000000000000000000000'],
  [10n ** 20n, '100000000000000000000'],
  [new Float(1), '1.0'],
  [0.1, '0.1'],
  [Number.NaN, 'nan'],
  ["it's", `"it's"`],
  [`both ' and "`, `'both \\' and "'`],
  ['第1条\n\t\\', `'第1条\\n\\t\\\\'`],
  ['\u3000\u200b\u0007🎉', `'\\u3000\\u200b\\x07🎉'`],
  [['a', 1, null, { k: [true] }], `['a', 1, None, {'k': [True]}]`],
  [[], '[]'],
  [{}, '{}'],
])('repr is $1', ([value, text]) => {
  expect(pythonRepr(value)).toBe(text);
});

test('str leaves a string as it is', () => {
  expect(pythonStr("it's")).toBe("it's");
  expect(pythonStr(["it's"])).toBe(`["it's"]`);
});
