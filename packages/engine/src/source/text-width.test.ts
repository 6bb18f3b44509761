import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fitWidth, padWidth, textWidth } from './text-width.ts';

test.for([
  ['abc', 3],
  ['個人情報', 8],
  ['か\u3099', 2],
  ['ｱｲｳ', 3],
  ['👨‍👩‍👧', 2],
  ['\u001B[31mred\u001B[39m', 3],
  ['', 0],
] as const)('%j is %i cells wide', ([text, width]) => {
  expect(textWidth(text)).toBe(width);
});

test.for([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['個人情報', 8, '個人情報'],
  ['個人情報', 7, '個人情…'],
  ['個人情報', 6, '個人…'],
] as const)('%j cut to %i cells is %j', ([text, width, cut]) => {
  expect(fitWidth(text, width)).toBe(cut);
});

test('padding counts cells, not characters', () => {
  expect([padWidth('同意', 6), padWidth('abc', 6), padWidth('long name', 3)]).toEqual([
    '同意  ',
    'abc   ',
    'long name',
  ]);
});

test.for([
  [0x20, 0x240],
  [0x2000, 0x2900],
  [0x3000, 0x3200],
  [0x4df0, 0x4e10],
  [0x9ff0, 0xa010],
  [0xff00, 0xfff0],
] as const)('characters from %i to %i are as wide as string-width says', ([from, to]) => {
  for (let code = from; code < to; code += 1) {
    const text = `あ${String.fromCharCode(code)}`;
    expect({ code, width: textWidth(text) }).toEqual({ code, width: stringWidth(text) });
  }
});
