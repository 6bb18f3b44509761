import { expect, test } from 'vitest';
import { calculates, expressionOf, readCalculation } from './arithmetic.ts';
import { splitQuestion, splitSearch } from './split-question.ts';

test.for([
  { question: 'Must we tell? Whom?', parts: ['Must we tell? Whom?'] },
  {
    question: 'What does A-100 cost, and what is the shipping fee?',
    parts: ['What does A-100 cost', 'what is the shipping fee?'],
  },
  { question: 'Are cookies and history regulated?', parts: ['Are cookies and history regulated?'] },
  {
    question: 'Do we need consent to collect names and addresses from customers?',
    parts: ['Do we need consent to collect names and addresses from customers?'],
  },
  {
    question: 'May we collect names, and must we delete addresses?',
    parts: ['May we collect names', 'must we delete addresses?'],
  },
  {
    question: 'We had a ransomware attack and cannot tell what was taken. Must we report it?',
    parts: ['We had a ransomware attack and cannot tell what was taken. Must we report it?'],
  },
  {
    question: '開示の手数料と漏えいの期限が分かりません。誰に聞けばいいですか',
    parts: ['開示の手数料と漏えいの期限が分かりません。誰に聞けばいいですか'],
  },
  { question: '開示請求の手数料と漏えい報告の期限は？', parts: ['開示請求の手数料', '漏えい報告の期限は？'] },
  { question: '駅の設備と、駅の時刻表は？', parts: ['駅の設備', '駅の時刻表は？'] },
  { question: '椅子を2脚買うときの合計の金額は？', parts: ['椅子を2脚買うときの合計の金額は？'] },
  { question: '顧客の名前と誕生日は個人情報ですか', parts: ['顧客の名前と誕生日は個人情報ですか'] },
  { question: '個人データの定義と個人情報の定義の違いは？', parts: ['個人データの定義と個人情報の定義の違いは？'] },
])('the parts of "$question"', ({ question, parts }) => {
  expect(splitQuestion(question)).toEqual(parts);
});

test.for([
  { question: '仮名加工情報と匿名加工情報の違いは何ですか', parts: ['仮名加工情報', '匿名加工情報'] },
  { question: 'What is the difference between a fee and a price?', parts: ['a fee', 'a price'] },
  { question: '共同利用の条件と、オプトアウトの意味を教えて', parts: ['共同利用の条件', 'オプトアウトの意味を教えて'] },
])('what "$question" is searched for', ({ question, parts }) => {
  expect(splitSearch(question)).toEqual(parts);
});

test.for([
  { question: "What's 3 times 2?", expression: '3 * 2', tool: 'multiply' },
  { question: '１２かける480は？', expression: '12 * 480', tool: '掛け算' },
  { question: 'Divide 1,000 by 8', expression: '1000 / 8', tool: 'division, the quotient' },
  { question: '7 + 5', expression: '7 + 5', tool: 'adds' },
  { question: '9 - 4', expression: '9 - 4', tool: '引き算' },
])('the calculation in "$question"', ({ question, expression, tool }) => {
  const read = readCalculation(question);
  expect(read && expressionOf(read)).toBe(expression);
  expect(read && calculates(read, tool)).toBe(true);
  expect(read && calculates(read, 'weather')).toBe(false);
});

test.for(['2026-11-23', 'A-110を3本', 'web02', 'from 3 to 5'])('no calculation in "%s"', (text) => {
  expect(readCalculation(text)).toBeUndefined();
});
