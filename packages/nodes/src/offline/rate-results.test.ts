import { expect, test } from 'vitest';
import { judgeResults } from './judge-results.ts';

test.for([
  ['匿名加工情報とは', '仮名加工情報とは何ですか', '匿名加工情報とは何ですか'],
  ['委託先の監督', '再委託先の監督', '委託先の監督'],
  ['Who reads an email?', 'Who reads a letter?', 'Who reads an e-mail?'],
  ['漏えいを誰に報告しますか', '漏えい報告の期限は何日ですか', '漏えいしたときは誰に報告しますか'],
  ['Who do I report a leak to?', 'What is the deadline for reporting a leak?', 'To whom must a leak be reported?'],
  ["What's the fee?", "What's the deadline?", 'The fee'],
  ['What happens to a lost parcel?', 'What happens on Sundays?', 'Parcels that are lost'],
] as const)('of what answers "%s" by its words not %s, but %s', ([question, other, title]) => {
  const passages = [other, title].map((one) => ({ id: one, title: one, text: 'A text.' }));
  expect(judgeResults(question, passages)?.id).toBe(title);
});

test('a passage that lacks more of what is asked for than it holds is no answer', () => {
  const reports = { id: 'reports', title: 'Time of reports', text: 'They are made within five days.' };
  expect(judgeResults('How many days of paid leave do part-time workers get?', [reports])).toBeUndefined();
  expect(judgeResults('How many days of time do workers get?', [reports])?.id).toBe('reports');
});

test('where it is asked what something is, an entry on what another thing is does not come first', () => {
  const other = { id: 'other', title: '第三者提供とは何ですか', text: '要配慮個人情報には使えません。' };
  const own = { id: 'own', title: '要配慮個人情報にはどのようなものがありますか', text: '病歴などです。' };
  expect(judgeResults('要配慮個人情報とは', [other, own])?.id).toBe('own');
});

test('of entries that fit nearly alike comes first what says nothing in its title that is not asked for', () => {
  const question = 'Can I share customer data with a third party without consent?';
  const merger = {
    id: 'merger',
    title: 'Is consent needed when customer data passes in a merger?',
    text: 'Handing over customer data with a business is not provision to a third party and needs no consent.',
  };
  const optOut = {
    id: 'optOut',
    title: 'What is opt-out?',
    text: 'Provision to a third party without consent, of data that is shared.',
  };
  const party = {
    id: 'party',
    title: 'When may data go to a third party without consent?',
    text: 'Provision to a third party needs no consent where it is based on law.',
  };
  expect(judgeResults(question, [merger, party, optOut])?.id).toBe('party');
});

test('具体的に says nothing before what only asks, and much where it asks how specific', () => {
  const [specific, supervision] = [
    { id: 'specific', title: '利用目的はどの程度具体的に決めますか', text: '想像できるくらいです。' },
    { id: 'supervision', title: '委託先の監督は何をすればよいですか', text: '契約を結びます。' },
  ];
  expect(judgeResults('委託先の監督は具体的に何をしますか', [specific, supervision])?.id).toBe('supervision');
  expect(judgeResults('利用目的はどのくらい具体的に書きますか', [supervision, specific])?.id).toBe('specific');
});
