import { expect, test } from 'vitest';
import { meaningfulWords } from './content-words.ts';
import { inOtherWords, inSharedWord } from './same-meaning.ts';
import { english } from './same-meaning-english.ts';
import { inBothScripts, japanese } from './same-meaning-japanese.ts';

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

test.for([
  ['クッキーとDMの同意', ['承諾', '了承', '許可', '承認', '許し', '合意', '了解', 'cookie', 'ダイレクトメール']],
  ['データが漏れた', ['流出', '漏えい', '漏洩', '漏れる', '漏らす', '漏']],
  ['leaked prices', ['leak', 'leakage', 'breach', 'fee', 'charge', 'cost', 'price', 'pay', 'payment', 'paid']],
  ['the website of a lawyer', ['attorney', 'solicitor', 'counsel', 'web', 'site', 'homepage', 'hp']],
  ['Which weather?', []],
  ['pseudonymized weather', ['pseudonymised']],
  ['the anonymisation', ['anonymization']],
  ['surprised and sized', []],
] as const)('what else a text may say: %s', ([question, others]) => {
  expect(inOtherWords(question)).toEqual(others);
});
