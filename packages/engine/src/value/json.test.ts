import { expect, test } from 'vitest';
import { Float, stringifyFloat } from './float.ts';
import { type JsonValue, parseJson, stringifyJson } from './json.ts';

test.for([
  '{"a":1,"b":1.0,"c":1.5}',
  '[NaN,Infinity,-Infinity,"NaN","Infinity, [NaN]"]',
  '[12345678901234567890,-5,0]',
  '{"f":-0.0,"e":1e+16,"s":"\\u0000日本"}',
])('%s reads and prints as it was', (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

const mark = '\u{F8F0}';

test.for([
  `{"a":1.0,"b":"${mark}NaN"}`,
  `{"a":1.0,"b":"${mark}","c":"${mark}a"}`,
  `{"a":NaN,"${mark}NaN":1}`,
  `[NaN,"NaN ${mark}","\\"${mark}NaN\\"",1]`,
  `[NaN,"\\"${mark}NaN","\\\\\\"${mark}Infinity"]`,
])('%s, with a character that means something here, is the text it is', (text) => {
  const plain = JSON.parse(text.replace('NaN,', 'null,')) as Readonly<Record<string, unknown>>;
  const read = parseJson(text);
  for (const [name, value] of Object.entries(plain))
    if (typeof value === 'string') expect((read as typeof plain)[name]).toBe(value);
  expect(parseJson(stringifyJson(read))).toEqual(read);
});

test('a text without an end is looked at once, and not again from each quote in it', () => {
  expect(() => parseJson(`{"a":NaN,"${'\\"'.repeat(1_000_000)}`)).toThrow(SyntaxError);
  expect(() => parseJson('{NaN :1}')).toThrow(SyntaxError);
});

test('a number that is none beside a text of many megabytes is read', () => {
  const text = `[NaN,"${'x'.repeat(17_000_000)}"]`;
  expect((parseJson(text) as readonly string[])[1]?.length).toBe(17_000_000);
});

test('a number is the same whether the text is read with care throughout or not', () => {
  const digits = ['0', '7', '10', '999', '123456789', '9999999999', '9007199254740993', '12345678901234567890'];
  const ends = [
    '',
    '.0',
    '.00',
    '.5',
    '.50',
    '.0625',
    '.9999999',
    '.999999999999999999',
    'e2',
    'E-2',
    '.5e1',
    '.25e+2',
  ];
  for (const number of ['', '-'].flatMap((sign) => digits.flatMap((one) => ends.map((end) => sign + one + end)))) {
    for (const text of [`[${number}]`, `[ ${number} ]`, `{"a":${number}}`, `["x",${number}]`, `[\n${number}]`]) {
      const withCare = parseJson(`[NaN,${text}]`) as readonly JsonValue[];
      expect({ text, value: parseJson(text) }).toEqual({ text, value: withCare[1] });
    }
  }
  const digest = '{"a":"3e45f0e1e2","b":"at 1e5 of 1.0","c":1}';
  expect(parseJson(digest)).toEqual(JSON.parse(digest));
});

test('ints and floats are told apart', () => {
  expect(parseJson('[1, 1.0, 1e3, 0.5]')).toEqual([1, new Float(1), new Float(1000), 0.5]);
});

test('broken JSON is refused as JSON.parse does', () => {
  expect(() => parseJson('{"a": 1.0,}')).toThrow(SyntaxError);
  expect(() => parseJson('[NaN')).toThrow(SyntaxError);
});

test('a Float counts as a number', () => {
  expect(new Float(2).valueOf() + 1).toBe(3);
  expect(JSON.stringify({ x: new Float(2) })).toBe('{"x":2.0}');
});

test.for([
  [1, '1.0'],
  [1e16, '1e+16'],
  [1e-5, '1e-05'],
  [0.0001, '0.0001'],
  [123456789.125, '123456789.125'],
  [1.5e300, '1.5e+300'],
  [-0, '-0.0'],
  [Infinity, 'inf'],
] as const)('%d prints as %s', ([value, text]) => {
  expect(stringifyFloat(value)).toBe(text);
});
