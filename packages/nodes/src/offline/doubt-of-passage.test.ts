import { expect, test } from 'vitest';
import { doubtOfPassage } from './doubt-of-passage.ts';

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
    doubt: 'This is the nearest that was found; it mentions what is asked for only in passing.\n',
  },
  {
    question: '漏えいを報告する必要がありますか',
    passage: { title: '漏えい報告の期限は何日ですか', text: '五日です。' },
    doubt: '最も近い記載です。お尋ねの語は、その中で触れられているだけです。\n',
  },
  {
    question: 'Who do I report a leak to?',
    passage: { title: 'What is the deadline for reporting a leak?', text: 'It is five days.' },
    doubt: 'This is the nearest that was found; it mentions what is asked for only in passing.\n',
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
