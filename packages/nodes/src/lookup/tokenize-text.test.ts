import { expect, test } from 'vitest';
import { tokenizeText } from './tokenize-text.ts';

const words = (text: string): readonly string[] =>
  tokenizeText(text)
    .filter((term) => term.weight === 1)
    .map((term) => term.text);

const pairs = (text: string): readonly string[] =>
  tokenizeText(text)
    .filter((term) => term.weight < 1)
    .map((term) => term.text.slice(1));

test.for([
  { text: 'What are the Policies of the users?', terms: ['policy', 'user'] },
  { text: "The business's status", terms: ['business', 'status'] },
  { text: 'ＡＰＰＩ 第２７条', terms: ['appi', '第', '27', '条'] },
  { text: '', terms: [] },
  { text: 'the of and', terms: [] },
])('the words of "$text"', ({ text, terms }) => {
  expect(words(text)).toEqual(terms);
});

test('Japanese words come without particles, and with the pairs of their characters', () => {
  expect(words('個人データの提供は')).toEqual(['個人', 'データ', '提供']);
  expect(pairs('個人データの提供は')).toEqual(['個人', '人デ', 'デー', 'ータ', 'タの', 'の提', '提供', '供は']);
});

test('pairs of hiragana alone are left out', () => {
  expect(pairs('しますか')).toEqual([]);
});
