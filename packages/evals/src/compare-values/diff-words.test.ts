import { expect, test } from 'vitest';
import { diffWords } from './diff-words.ts';

/** `-[…]` was removed, `+[…]` added. */
const notation = (left: string, right: string): string =>
  diffWords(left, right)
    .map(({ kind, text }) => (kind === 'same' ? text : `${kind === 'removed' ? '-' : '+'}[${text}]`))
    .join('');

test.for([
  ['the same', 'the same', 'the same'],
  ['', 'new', '+[new]'],
  ['old', '', '-[old]'],
  ['a small dog', 'a large dog', 'a -[small]+[large] dog'],
  ['猫が好きです', '猫が大好きです', '猫が-[好き]+[大好き]です'],
  ['本人の同意は必要です。', '本人の同意は不要です。', '本人の同意は-[必要]+[不要]です。'],
  ['one two three', 'uno dos three', '-[one two]+[uno dos] three'],
  ['I saw a small dog', 'I saw the small cat', 'I saw -[a]+[the] small -[dog]+[cat]'],
  [
    '生きている個人に関する情報のうち',
    '個人データの定義と情報データベース',
    '-[生きている個人に関する情報のうち]+[個人データの定義と情報データベース]',
  ],
  ['one\ntwo', 'uno\ndos', '-[one]+[uno]\n-[two]+[dos]'],
  ['a b', 'a  b', 'a-[ ]+[  ]b'],
] as const)('%j to %j is %j', ([left, right, told]) => {
  expect(notation(left, right)).toBe(told);
});

test('the parts spell both texts, however they differ', () => {
  const words = ['同意', 'は', '要る', ' ', 'no', ',', '\n', '👨‍👩‍👧', 'x'];
  let seed = 7;
  const next = (): number => {
    seed = (seed * 48271) % 2147483647;
    return seed;
  };
  const text = (): string => Array.from({ length: next() % 30 }, () => words[next() % words.length]).join('');
  for (let round = 0; round < 300; round += 1) {
    const [left, right] = [text(), text()];
    const parts = diffWords(left, right);
    const spell = (leftOut: string): string =>
      parts.flatMap(({ kind, text: of }) => (kind === leftOut ? [] : [of])).join('');
    expect([spell('added'), spell('removed')]).toEqual([left, right]);
  }
});

test('two long texts with nothing in common are told at once, as one change', () => {
  const left = Array.from({ length: 20_000 }, (_, index) => `l${index}`).join(' ');
  const right = Array.from({ length: 20_000 }, (_, index) => `r${index}`).join('\n');
  expect(diffWords(`${left}.`, `${right}.`).map(({ kind }) => kind)).toEqual(['removed', 'added', 'same']);
});

test('of long texts in which few words are others, those few are told', () => {
  const words = Array.from({ length: 4000 }, (_, index) => `w${index}`);
  const changed = words.map((word, index) => (index % 50 === 25 ? `x${index}` : word));
  const parts = diffWords(words.join(' '), changed.join(' '));
  expect(parts.filter(({ kind }) => kind === 'added')).toHaveLength(80);
});
