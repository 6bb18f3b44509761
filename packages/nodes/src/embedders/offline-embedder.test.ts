import { expect, test } from 'vitest';
import { dot, normalized } from '../embedded-index/quantize.ts';
import { learnRarity, offlineEmbedder, readRarity, stringifyRarity } from './offline-embedder.ts';

const texts = [
  '個人データの漏えい\n委員会に報告する。',
  '委託先の監督\n必要な監督を行う。',
  'Apples\nAn apple a day.',
  'Plums\nA green plum, sweet and ripe.',
];
const { signal } = new AbortController();

async function vectors(rarity = learnRarity(texts), query?: string): Promise<readonly Float32Array[]> {
  const embedder = offlineEmbedder(rarity);
  const asked =
    query === undefined ? embedder.embed(texts, 'document', signal) : embedder.embed([query], 'query', signal);
  const result = await asked;
  return result.ok ? result.vectors.map(normalized) : [];
}

test('the same documents give the same vectors, also after they were written down', async () => {
  expect(await vectors()).toEqual(await vectors(readRarity(stringifyRarity(learnRarity(texts)))));
  expect(offlineEmbedder(learnRarity(texts)).model).not.toBe(offlineEmbedder(learnRarity(texts.slice(1))).model);
  expect((await vectors())[0]).toHaveLength(1024);
});

test.for([
  { query: '情報漏えいの報告', nearest: 0 },
  { query: '委託', nearest: 1 },
  { query: 'apples', nearest: 2 },
  { query: 'green plums', nearest: 3 },
])('"$query" is nearest to text $nearest', async ({ query, nearest }) => {
  const rarity = learnRarity(texts);
  const [asked = new Float32Array()] = await vectors(rarity, query);
  const cosines = (await vectors(rarity)).map((vector) => dot(vector, asked));
  expect(cosines.indexOf(Math.max(...cosines))).toBe(nearest);
});

test('counts that are broken are refused', () => {
  expect(() => readRarity('4 AAAA')).toThrow('the counts of the offline embedder are broken');
});
