import type { Embedder, JsonObject, SearchFilter, SearchIndex, SearchOptions, SearchResult } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rarityOfIndex } from '../build-index/build-index.ts';
import { createIndexDatabase, type DatabaseSync, writeSetting } from '../embedded-index/index-database.ts';
import type { IndexDocument } from '../embedded-index/index-document.ts';
import { IndexWriter } from '../embedded-index/index-writer.ts';
import { offlineEmbedder, readRarity } from '../embedders/offline-embedder.ts';
import { readFilter } from '../lookup/read-filter.ts';

function document(id: string, title: string, text: string, fields: JsonObject): IndexDocument {
  return { id, title, text, fields };
}

const documents = [
  document('apple', 'Apples', 'An apple a day keeps the doctor away.', {
    kind: 'fruit',
    n: 1,
    fresh: true,
    tags: ['red', 'round'],
  }),
  document('pear', 'Pears', 'A pear is green and sweet.', { kind: 'fruit', n: 2, fresh: false, tags: ['green'] }),
  document('carrot', 'Carrots', 'A carrot is a root, orange and sweet.', {
    kind: 'root',
    n: 3,
    fresh: true,
    tags: ['orange'],
  }),
  document('漏えい', '漏えい等の報告', '個人データの漏えいが起きたときは、委員会に報告する。', {
    kind: 'law',
    n: 4,
    tags: [],
  }),
  document('委託', '委託先の監督', '個人データの取扱いを委託するときは、委託先を監督する。', {
    kind: 'law',
    n: 5,
    note: "O'Brien wrote this",
  }),
];

/** The documents of the contract in an index file's database, with vectors. */
export async function contractDatabase(): Promise<{ readonly database: DatabaseSync; readonly embedder: Embedder }> {
  const database = createIndexDatabase(':memory:');
  const writer = new IndexWriter(database);
  writer.putSource('contract.jsonl', '', documents);
  const embedder = offlineEmbedder(readRarity(rarityOfIndex(database)));
  const texts = writer.unembedded(documents.length);
  const result = await embedder.embed(
    texts.map(({ text }) => text),
    'document',
    new AbortController().signal,
  );
  if (!result.ok) throw new Error(result.error.message);
  writer.putVectors(texts.map((one, at) => ({ ...one, vector: result.vectors[at] ?? new Float32Array() })));
  writeSetting(database, 'dimensions', String(result.vectors[0]?.length));
  return { database, embedder };
}

/**
 * What every search index keeps to. Which of two documents scores higher is the ranking's own affair where both match.
 *
 * @param open gives an index that holds what the database holds
 */
export function searchIndexContract(
  name: string,
  open: (database: DatabaseSync, embedder: Embedder) => Promise<SearchIndex>,
): void {
  let index: SearchIndex;
  let database: DatabaseSync;
  beforeAll(async () => {
    const made = await contractDatabase();
    database = made.database;
    index = await open(made.database, made.embedder);
  });
  afterAll(() => database.close());
  const search = async (query: string, options: Partial<SearchOptions> = {}): Promise<SearchResult> =>
    index.search(query, { topK: 10, ...options });
  const ids = async (query: string, options: Partial<SearchOptions> = {}): Promise<readonly string[]> => {
    const result = await search(query, options);
    if (!result.ok) throw new Error(result.error.message);
    return result.hits.map(({ id }) => id);
  };

  test.for([
    { query: 'apple', first: 'apple' },
    { query: 'Which root is ORANGE?', first: 'carrot' },
    { query: '漏えいの報告', first: '漏えい' },
    { query: '委託先', first: '委託' },
  ])(`${name}: "$query" finds $first in every mode`, async ({ query, first }) => {
    for (const mode of ['keyword', 'vector', 'hybrid'] as const) expect((await ids(query, { mode }))[0]).toBe(first);
  });

  test(`${name}: a hit carries its document, best first`, async () => {
    const result = await search('sweet', { mode: 'keyword' });
    if (!result.ok) throw new Error(result.error.message);
    const scores = result.hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(result.hits.find(({ id }) => id === 'pear')).toEqual({ ...documents[1], score: expect.any(Number) });
  });

  test(`${name}: words that no document has find nothing`, async () => {
    expect(await ids('xylophone', { mode: 'keyword' })).toEqual([]);
  });

  test(`${name}: top_k and the minimum score cut`, async () => {
    expect(await ids('sweet', { mode: 'keyword', topK: 1 })).toHaveLength(1);
    expect(await ids('sweet', { mode: 'keyword', minimumScore: 1e6 })).toEqual([]);
    expect(await ids('sweet', { mode: 'vector', topK: 3 })).toHaveLength(3);
  });

  test(`${name}: hits carry the wanted fields only`, async () => {
    const result = await search('apple', { mode: 'keyword', fields: ['n', 'none'] });
    expect(result.ok && result.hits[0]?.fields).toEqual({ n: 1 });
  });

  test.for<readonly [JsonObject, readonly string[]]>([
    [{ kind: 'fruit' }, ['apple', 'pear']],
    [{ kind: ['root', 'law'] }, ['carrot', '委託', '漏えい']],
    [{ kind: 'fruit', n: { gt: 1 } }, ['pear']],
    [{ n: { ge: 2, lt: 4 } }, ['carrot', 'pear']],
    [{ kind: { gt: 'fruit' } }, ['carrot', '委託', '漏えい']],
    [{ fresh: true }, ['apple', 'carrot']],
    [{ not: { fresh: true } }, ['pear', '委託', '漏えい']],
    [{ fresh: { ne: true } }, ['pear', '委託', '漏えい']],
    [{ tags: 'green' }, ['pear']],
    [{ tags: ['green', 'red'] }, ['apple', 'pear']],
    [{ tags: { exists: true }, kind: 'fruit' }, ['apple', 'pear']],
    [{ fresh: { exists: false } }, ['委託', '漏えい']],
    [{ note: "O'Brien wrote this" }, ['委託']],
    [{ note: "x' or n gt 0 or note eq 'x" }, []],
    [{ n: '1' }, []],
    [{ kind: 1 }, []],
    [{ id: ['apple', '漏えい'] }, ['apple', '漏えい']],
    [{ or: [{ n: 1 }, { kind: 'root' }] }, ['apple', 'carrot']],
    [{ or: [] }, []],
    [{ and: [] }, ['apple', 'carrot', 'pear', '委託', '漏えい']],
  ])(`${name}: the filter %j`, async ([written, expected]) => {
    const filter = filterOf(written);
    const found = await ids('apple', { mode: 'vector', filter });
    expect(found.toSorted()).toEqual([...expected].toSorted());
    const words = await ids('apple pear carrot 漏えい 委託', { mode: 'keyword', filter });
    expect(words.toSorted()).toEqual([...expected].toSorted());
  });

  test(`${name}: reciprocal ranks may be weighed`, async () => {
    const fusion = { method: 'rrf', k: 60, weights: { keyword: 1, vector: 0.5 } } as const;
    expect((await ids('個人データの委託', { mode: 'hybrid', fusion }))[0]).toBe('委託');
  });
}

function filterOf(written: JsonObject): SearchFilter {
  const read = readFilter(written);
  if ('problem' in read) throw new Error(read.problem);
  return read.filter;
}
