import { setTimeout } from 'node:timers/promises';
import type { Embedder, SearchIndex } from '@unroll/engine';
import { expect, test } from 'vitest';
import { azureSearchIndex } from '../../packages/nodes/src/azure-search/azure-search-index.ts';
import { type Uploaded, uploadIndex } from '../../packages/nodes/src/azure-search/upload-index.ts';
import type { DatabaseSync } from '../../packages/nodes/src/embedded-index/index-database.ts';
import { contractDatabase, searchIndexContract } from '../../packages/nodes/src/testing/search-index-contract.ts';

/** Needs AZURE_SEARCH_ENDPOINT, and AZURE_SEARCH_KEY or an Entra identity; writes the indexes AZURE_SEARCH_INDEX and …-update. */
const {
  AZURE_SEARCH_ENDPOINT: endpoint,
  AZURE_SEARCH_KEY: key,
  AZURE_SEARCH_INDEX: name = 'unroll-contract',
} = process.env;
if (endpoint === undefined) throw new Error('set AZURE_SEARCH_ENDPOINT to https://<name>.search.windows.net');

const connection = {
  name: 'azure',
  type: 'cognitive_search',
  configs: { api_base: endpoint, auth_mode: key === undefined ? 'meid_token' : 'key' },
  secrets: key === undefined ? {} : { api_key: key },
};
const { signal } = new AbortController();

async function upload(database: DatabaseSync, index: string): Promise<Uploaded> {
  const uploaded = await uploadIndex(database, connection, { name: index, signal });
  if (!uploaded.ok) throw new Error(uploaded.error.message);
  return uploaded;
}

/** What was sent is found some seconds later. */
async function holding(documents: number, index: string, embedder: Embedder): Promise<SearchIndex> {
  const opened = await azureSearchIndex(connection, { name: index, openEmbedder: async () => embedder });
  for (let tries = 0; tries < 30; tries += 1) {
    const found = await opened.search('apple', { topK: 10, mode: 'vector' });
    if (found.ok && found.hits.length === documents) return opened;
    await setTimeout(2000);
  }
  throw new Error(`${index} did not hold ${documents} documents within a minute`);
}

searchIndexContract('Azure AI Search', async (database, embedder) => {
  await upload(database, name);
  return holding(5, name, embedder);
});

test('an update sends what has changed and deletes what is gone', async () => {
  const { database, embedder } = await contractDatabase();
  await upload(database, `${name}-update`);
  await holding(5, `${name}-update`, embedder);
  database.exec("DELETE FROM documents WHERE name = 'pear'; UPDATE documents SET digest = x'00' WHERE name = 'apple'");
  expect(await upload(database, `${name}-update`)).toMatchObject({ uploaded: 1, removed: 1, unchanged: 3 });
  const index = await holding(4, `${name}-update`, embedder);
  const found = await index.search('pear', { topK: 10, mode: 'keyword' });
  expect(found.ok && found.hits.map(({ id }) => id)).not.toContain('pear');
});
