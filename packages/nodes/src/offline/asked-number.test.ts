import { expect, test } from 'vitest';
import { asksNumber, tellsNumber } from './asked-number.ts';

test.for([
  { question: 'How long may we keep it?', told: 'For three years.', untold: 'As long as it is needed.' },
  { question: 'What is the deadline?', told: 'Within 30 days.', untold: 'It is a short one.' },
  { question: '報告の期限は何日ですか', told: '３０日以内', untold: '速やかに' },
  { question: '回答は何営業日以内ですか', told: '5営業日以内', untold: 'できるだけ早く' },
  { question: '保存は何ヵ月ですか', told: '3ヵ月', untold: '4月から' },
  { question: 'いつまでに報告しますか', told: '5日以内', untold: '委員会に' },
  { question: 'By when must it be told?', told: 'Within 5 days.', untold: 'To the office.' },
  { question: '締切の期限はいつ', told: '翌月末まで', untold: '全体の3分の1' },
  { question: 'How soon must it be told?', told: 'Within 72hours.', untold: 'Soon, and once a year again.' },
  { question: 'How long is the warranty?', told: 'It holds for a year.', untold: 'It holds as told.' },
  { question: 'How long may I return it?', told: 'Fourteen days.', untold: 'Of a new one.' },
  { question: 'How much is the discount?', told: '10 %', untold: 'A good one.' },
  { question: 'How old must I be?', told: '18 or older', untold: 'Older than others.' },
  { question: 'How much is the fee?', told: '300 yen', untold: 'A reasonable one, in 2 days.' },
  { question: '手数料はいくら', told: '300円', untold: '手数料を取れます。' },
  { question: 'パスワードは何文字以上ですか', told: '８文字以上', untold: '第23条による' },
  {
    question: 'How many people make it reportable?',
    told: 'More than 1,000 people.',
    untold: 'Some (Articles 25 and 27).',
  },
  { question: '何歳から', told: '15歳から', untold: '2日から' },
])('$question asks for a number', ({ question, told, untold }) => {
  expect(asksNumber(question)).toBe(true);
  expect([tellsNumber(question, told), tellsNumber(question, untold)]).toEqual([true, false]);
});

test('what asks for no number is told by any text', () => {
  expect(asksNumber('Must it be reported?')).toBe(false);
  expect(tellsNumber('Must it be reported?', 'Yes.')).toBe(true);
});
