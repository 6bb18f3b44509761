import { expect, test } from 'vitest';
import { diffShownWords, lookAlike } from './look-alike.ts';

const shown = (left: string, right: string): string =>
  diffShownWords(left, right)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('');

const cases: readonly (readonly [left: string, right: string, told: string])[] = [
  ['データ is', 'データ'.normalize('NFD').concat(' is'), '[-\\u30c7ータ-]{+\\u30c6\\u3099ータ+} is'],
  ['a b', 'a\u00a0b', 'a[-\\u0020-]{+\\u00a0+}b'],
  ['zero', 'ze\u200bro', '[-zero-]{+ze\\u200bro+}'],
  ['same', 'same\u200f', '[-same-]{+same\\u200f+}'],
  ['日本', '\u2f47本', '[-\\u65e5本-]{+\\u2f47本+}'],
  ['x\r\ny', 'x\ny', 'x[-\\r\n-]{+\n+}y'],
  ['a\u200bb', 'a\u200b\u200bb', 'a\u200b{+\\u200b+}b'],
  ['done 。', 'done \u{e0041}。', 'done[- -]{+ \\u{e0041}+}。'],
  // What is seen stays as it is, be it only a width or a blank more.
  ['ＡＢ', 'AB', '[-ＡＢ-]{+AB+}'],
  ['trail', 'trail ', 'trail{+ +}'],
  ['が', 'か', '[-が-]{+か+}'],
];

test.for(cases)('%j and %j', ([left, right, told]) => {
  expect(shown(left, right)).toBe(told);
});

test('only texts that look the same are written out as a whole', () => {
  expect(lookAlike('a b', 'a\u00a0b')).toEqual({ left: 'a\\u0020b', right: 'a\\u00a0b' });
  expect(lookAlike(' \u00a0', '\u00a0 ')).toEqual({ left: '\\u0020\\u00a0', right: '\\u00a0\\u0020' });
  expect(lookAlike('a', 'b')).toBeUndefined();
});
