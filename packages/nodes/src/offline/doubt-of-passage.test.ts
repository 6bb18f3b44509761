import { expect, test } from 'vitest';
import { doubtOfPassage } from './doubt-of-passage.ts';
import { readWords } from './held-words.ts';
import type { Passage } from './read-passages.ts';
import { saysNothing } from './word-weights.ts';

const refund = { title: 'Refund period', text: 'The refund period is thirty days. Shipping is not refunded.' };
const definition = { title: 'What is a refund?', text: 'Who sends goods back gets a refund of what was paid.' };
const subcontractor = { title: '再委託先の監督', text: '再委託の前に承認を求め、取扱いを確かめます。' };
const leak = { title: '漏えいの報告', text: '個人情報保護委員会に報告します。' };

test.for([
  { question: 'How long is the refund period?', passage: refund, doubt: '' },
  {
    question: 'Is the refund period the same in Germany?',
    passage: refund,
    doubt: 'This is the nearest that was found; it does not mention "same", "Germany".\n',
  },
  {
    question: 'Refund PERIOD のドイツでの日数は？',
    passage: refund,
    doubt: '最も近い記載です。「ドイツ」「日数」には触れていません。\n',
  },
  {
    question: 'What is shipping?',
    passage: refund,
    doubt: 'This is the nearest that was found; it mentions what is asked for only in passing.\n',
  },
  { question: 'What is shipping?', passage: { text: refund.text }, doubt: '' },
  {
    question: 'How much is shipping?',
    passage: { text: refund.text },
    doubt: 'This is the nearest that was found; it does not tell the number that is asked for.\n',
  },
  {
    question: 'What does the red light mean?',
    passage: {
      title: 'Manual of the air cleaner > When the red light is on',
      text: 'The red light means that the door is open or that the filter is missing.',
    },
    doubt: '',
  },
  {
    question: 'What does the red light mean?',
    passage: { title: 'Manual of the air cleaner > Noise at night', text: 'The red light means nothing then.' },
    doubt: 'This is the nearest that was found; it mentions what is asked for only in passing.\n',
  },
  { question: 'How long is the reimbursement period?', passage: refund, doubt: '' },
  {
    question: 'How long for reimbursement?',
    passage: refund,
    doubt: 'This is the nearest that was found; it does not mention "reimbursement".\n',
  },
  { question: 'What is a refund?', passage: definition, doubt: '' },
  {
    question: 'Who that sends paid goods back gets a refund?',
    passage: definition,
    doubt: 'This is the nearest that was found; it mentions what is asked for only in passing.\n',
  },
  {
    question: '個人情報保護委員会とは',
    passage: leak,
    doubt: '最も近い記載です。お尋ねの語は、その中で触れられているだけです。\n',
  },
  {
    question: 'Is a company name personal data?',
    passage: { title: 'Is an address personal data?', text: 'It is with the name of a person, or of a company.' },
    doubt: 'This is the nearest that was found; it mentions what is asked for only in passing.\n',
  },
  {
    question: 'Is a work address personal data?',
    passage: { title: 'Is an address personal data?', text: 'It is where it tells who works there.' },
    doubt: '',
  },
  { question: '委託先の監督', passage: subcontractor, doubt: '最も近い記載です。「委託先」には触れていません。\n' },
  { question: '再委託先の監督', passage: subcontractor, doubt: '' },
  { question: '漏洩の届出', passage: leak, doubt: '最も近い記載です。「漏洩」「届出」には触れていません。\n' },
  { question: '漏洩の報告', passage: leak, doubt: '' },
  { question: '漏えいの報告は何日以内', passage: leak, doubt: '最も近い記載です。お尋ねの数は書かれていません。\n' },
  {
    question: '名刺の情報も個人情報になりますか',
    passage: { title: '個人情報データベースとは何ですか', text: '並べ替えていない名刺の束は当たりません。' },
    doubt: '最も近い記載です。お尋ねの語は、その中で触れられているだけです。\n',
  },
  {
    question: 'Do we need to report the leak?',
    passage: { title: 'What is the deadline for reporting a leak?', text: 'It is five days.' },
    doubt: 'This is the nearest that was found; it is on how long, which is not what is asked for.\n',
  },
  {
    question: '漏えいを報告する必要がありますか',
    passage: { title: '漏えい報告の期限は何日ですか', text: '五日です。' },
    doubt: '最も近い記載です。お尋ねでない期間などの記載です。\n',
  },
  {
    question: 'Who do I report a leak to?',
    passage: { title: 'What is the deadline for reporting a leak?', text: 'It is five days.' },
    doubt: 'This is the nearest that was found; it is on how long, which is not what is asked for.\n',
  },
  {
    question: 'how long do I have to report a leak',
    passage: { title: 'What is the deadline for reporting a leak?', text: 'It is five days.' },
    doubt: '',
  },
  {
    question: '漏えいの報告は1000人からですか',
    passage: { title: '漏えいの報告', text: '千人を超えるときに報告します。' },
    doubt: '',
  },
  {
    question: 'Report leaks of 1000 people?',
    passage: { title: 'Reporting a leak', text: 'One of more than 1,000 people is reported.' },
    doubt: '',
  },
])('what speaks against a passage as an answer to $question is told', ({ question, passage, doubt }) => {
  expect(doubtOfPassage(question, question, passage)).toBe(doubt);
});

test.for([
  ['開示請求に手数料を取ってもいいですか', '開示請求の手数料はいくらまで取れますか', '実費までです。'],
  ['Can I charge a fee for disclosure?', 'How much may be charged for a disclosure?', 'A fee of the cost.'],
  ['亡くなった人の情報は個人情報に含まれますか', '亡くなった人の情報も保護の対象ですか', '個人情報に含まれません。'],
] as const)('what is titled as it is asked is not told to mention it in passing: %s', ([question, title, text]) => {
  expect(doubtAmong(question, { title, text })).toBe('');
});

/** The doubt where all that is searched is on personal information, and others were found beside the passage. */
function doubtAmong(question: string, passage: Passage, ...others: readonly string[]): string {
  const subject = readWords(
    'あなたは法律(個人情報保護法)についての質問に、検索結果で答えます。(You answer questions on the Privacy Act (APPI) by the result.)',
  );
  const found = [passage, ...others.map((text) => ({ text }))];
  return doubtOfPassage(question, question, passage, saysNothing(subject, passage, found));
}

test('the name of what all is on, and a character of other words, are no reason of a doubt', () => {
  const penalties = { title: '法律に違反すると罰則はありますか', text: '罰金が科されます。' };
  expect(doubtAmong('個人情報保護法に違反したときの罰則は', penalties)).toBe('');
  expect(doubtAmong('What penalties are there under the APPI?', { title: 'Penalties', text: 'Fines.' })).toBe('');
  const sharing = { title: '共同利用の要件', text: '会社が共同利用の前に知らせます。' };
  const question = '会社の間での共同利用の要件は';
  expect(doubtAmong(question, sharing, '期間を定めます。')).toBe('');
  expect(doubtAmong(question, sharing, '国の間で異なります。')).toContain('「間」には触れていません');
  expect(doubtAmong(question, sharing)).toContain('「間」には触れていません');
});

test.for([
  ['検索結果の罰則は', '罰則', '「検索結果」'],
  ['Is the result a penalty?', 'Penalty', '"result"'],
  ['Is there a penalty in the Privacy Act?', 'Penalty', ''],
] as const)(
  'what the instructions say by the way is a reason of a doubt, a name in them is none: %s',
  ([question, title, doubt]) => {
    const told = doubtAmong(question, { title, text: '罰金が科されます。' });
    expect(doubt === '' ? told === '' : told.includes(doubt), told).toBe(true);
  },
);

test.for([
  [
    '顧客名簿を渡すとき同意は要りますか',
    '合併で顧客名簿を引き継ぐとき同意は要りますか',
    '「合併で顧客名簿を引き継ぐとき」についての記載です',
  ],
  ['町会の名簿に同意は要りますか', '町会や学校法人が名簿を作るとき同意は要りますか', ''],
  [
    'Must buyers consent?',
    'Must buyers consent when goods pass in a merger?',
    'one case only: "when goods pass in a merger"',
  ],
  ['Must buyers consent when goods pass in a merger?', 'Must buyers consent when goods pass in a merger?', ''],
] as const)('of an entry on one case it is told where the question is not on it: %s', ([question, title, doubt]) => {
  const told = doubtOfPassage(question, question, { title, text: '渡すときは要りません。' });
  expect(doubt === '' ? told === '' : told.includes(doubt), told).toBe(true);
});

test('what something is no entry tells that begins with something else', () => {
  const cookies = { title: 'Cookieは個人情報保護法の規制を受けますか', text: '個人関連情報です。' };
  expect(doubtAmong('個人情報保護法とは何ですか', cookies)).toContain('その中で触れられているだけです');
  expect(doubtAmong('Cookieとは何ですか', cookies)).toBe('');
});
