import { expect, test } from 'vitest';
import { cutBetweenWords } from './cut-between-words.ts';

test.for([
  ['a short text', 'one two', 20, 'one two'],
  ['after a word', 'one two', 3, 'one'],
  ['within a word', 'one two', 5, 'one '],
  ['within a key', 'key: sk-ab/cd+ef==', 10, 'key: '],
  ['Japanese', '鍵はどこにもありません', 4, '鍵はどこ'],
  ['a key in Japanese', '鍵はabcdefです', 5, '鍵は'],
  ['one word', 'abcdef', 3, ''],
  ['a word that is no key', 'x'.repeat(50_000), 20_000, 'x'.repeat(20_000)],
] as const)('%s', ([, text, max, cut]) => {
  expect(cutBetweenWords(text, max)).toBe(cut);
});
