import { expect, test } from 'vitest';
import { meaningfulWords } from './content-words.ts';
import { inOtherScript, inSharedWord } from './same-meaning.ts';
import { english, inBothScripts, japanese } from './same-meaning-words.ts';

test.for([
  ['Which firms leaked it?', 'Which company breached it?'],
  ['erased files', 'deleting a file'],
  ['お客様の社員名簿', '顧客の従業員名簿'],
  ['他社に渡せますか', '第三者に提供する'],
  ['クッキーとDM', 'Cookieとダイレクトメール'],
])('%s and the other say the same', ([one = '', other = '']) => {
  const [left, right] = [one, other].map((text) => [...meaningfulWords(text)].map(inSharedWord));
  expect(left).toEqual(right);
});

test.for(['委託先', '取り消す', 'private', 'information'])('%s is in no group', (word) => {
  expect(inSharedWord(word)).toBe(word);
});

test('a word stands in one group only, once', () => {
  const words = [english, japanese, inBothScripts].flatMap((table) => table.trim().split(/\s+/u));
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test('a word of a Japanese question is told in the other script', () => {
  expect(inOtherScript(meaningfulWords('クッキーとDMの同意'))).toEqual(['cookie', 'ダイレクトメール']);
});
