import { expect, test } from 'vitest';
import { createKeywordIndex } from './keyword-index.ts';

const documents = [
  {
    id: 'outsourcing',
    title: '委託先への提供',
    text: '委託に伴う提供は第三者への提供に当たらない。',
    fields: { en: 'outsourcing' },
  },
  {
    id: 'leak',
    title: '漏えい等の報告',
    text: '漏えいが起きたら委員会に報告する。',
    fields: { en: 'data breach report' },
  },
  { id: 'purpose', title: '利用目的の特定', text: '利用目的をできる限り特定する。', fields: { en: 'purpose of use' } },
];
const index = createKeywordIndex(documents);

test.for([
  { query: '委託先に個人データを渡してよいですか', first: 'outsourcing' },
  { query: '情報が漏えいしたときの報告', first: 'leak' },
  { query: 'Is a DATA BREACH to be reported?', first: 'leak' },
  { query: '目的', first: 'purpose' },
])('"$query" finds $first', ({ query, first }) => {
  expect(index.search(query)[0]?.id).toBe(first);
});

test('nothing in common gives no hit', () => {
  expect(index.search('天気予報')).toEqual([]);
  expect(index.search('')).toEqual([]);
  expect(createKeywordIndex([]).search('目的')).toEqual([]);
});

test('a hit carries its document and a score by the BM25 formula', () => {
  const [hit] = createKeywordIndex([
    { id: '1', text: 'apple pear', fields: {} },
    { id: '2', text: 'plum', fields: {} },
  ]).search('apple');
  const norm = 0.25 + 0.75 * (2 / 1.5);
  const score = (Math.log(1 + 1.5 / 1.5) * 2.2) / (1 + 1.2 * norm);
  expect(hit).toEqual({ id: '1', text: 'apple pear', fields: {}, score: Math.round(score * 1e4) / 1e4 });
});

test('equal scores are ordered by id, and top_k and the minimum score cut', () => {
  const equal = createKeywordIndex(['c', 'a', 'b'].map((id) => ({ id, text: 'same words', fields: {} })));
  expect(equal.search('words').map((hit) => hit.id)).toEqual(['a', 'b', 'c']);
  expect(equal.search('words', { topK: 2 }).map((hit) => hit.id)).toEqual(['a', 'b']);
  expect(equal.search('words', { minimumScore: 10 })).toEqual([]);
});
