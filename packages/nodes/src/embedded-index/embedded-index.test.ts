import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searchIndexContract } from '../testing/search-index-contract.ts';
import { embeddedIndex } from './embedded-index.ts';
import { createIndexDatabase, openIndexDatabase } from './index-database.ts';
import { IndexWriter } from './index-writer.ts';

searchIndexContract('embedded', async (database, embedder) => embeddedIndex(database, async () => embedder));

test('what another writes to the file while it is open is found by the next question', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'index-'));
  const path = join(folder, 'a.index');
  const database = createIndexDatabase(path);
  const writer = new IndexWriter(database);
  const put = (...ids: readonly string[]): void => {
    writer.putSource(
      'all',
      ids.join(),
      ids.map((id) => ({ id, text: id, fields: {} })),
    );
    const vectors = writer.unembedded(100).map((one) => ({ ...one, vector: vectorOf(one.text) }));
    writer.putVectors(vectors);
  };
  const vectorOf = (text: string): Float32Array => Float32Array.from([text.length, 1, 0]);
  put('a', 'bbb');
  const embedder = {
    model: 'lengths',
    fusion: { method: 'rrf', k: 60, weights: { keyword: 1, vector: 1 } } as const,
    embed: async (texts: readonly string[]) => ({ ok: true as const, vectors: texts.map(vectorOf) }),
  };
  const reader = openIndexDatabase(path, 'read');
  const index = embeddedIndex(reader, async () => embedder);
  const nearest = async (): Promise<readonly string[]> => {
    const found = await index.search('xxxxx', { topK: 3, mode: 'vector' });
    return found.ok ? found.hits.map(({ id }) => id) : [found.error.message];
  };
  expect(await nearest()).toEqual(['bbb', 'a']);
  put('a', 'ccccc');
  expect(await nearest()).toEqual(['ccccc', 'a']);
  reader.close();
  database.close();
  rmSync(folder, { recursive: true });
});
