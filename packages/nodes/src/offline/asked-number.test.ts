import { expect, test } from 'vitest';
import { asksNumber, tellsNumber } from './asked-number.ts';

test.for([
  { question: 'How long may we keep it?', told: 'For three years.', untold: 'As long as it is needed.' },
  { question: 'What is the deadline?', told: 'Within 30 days.', untold: 'It is a short one.' },
  { question: '報告の期限は何日ですか', told: '３０日以内', untold: '速やかに' },
  { question: 'How much is the fee?', told: '300 yen', untold: 'A reasonable one, in 2 days.' },
  { question: '手数料はいくら', told: '300円', untold: '手数料を取れます。' },
  { question: '何歳から', told: '15歳から', untold: '2日から' },
])('$question asks for a number', ({ question, told, untold }) => {
  expect(asksNumber(question)).toBe(true);
  expect([tellsNumber(question, told), tellsNumber(question, untold)]).toEqual([true, false]);
});

test('what asks for no number is told by any text', () => {
  expect(asksNumber('Must it be reported?')).toBe(false);
  expect(tellsNumber('Must it be reported?', 'Yes.')).toBe(true);
});
