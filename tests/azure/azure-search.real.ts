import { setTimeout } from 'node:timers/promises';
import { azureSearchIndex } from '../../packages/nodes/src/azure-search/azure-search-index.ts';
import { uploadIndex } from '../../packages/nodes/src/azure-search/upload-index.ts';
import { searchIndexContract } from '../../packages/nodes/src/testing/search-index-contract.ts';

/** Needs AZURE_SEARCH_ENDPOINT, and AZURE_SEARCH_KEY or an Entra identity; writes the index AZURE_SEARCH_INDEX. */
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

searchIndexContract('Azure AI Search', async (database, embedder) => {
  const uploaded = await uploadIndex(database, connection, { name, signal: new AbortController().signal });
  if (!uploaded.ok) throw new Error(uploaded.error.message);
  const index = await azureSearchIndex(connection, { name, openEmbedder: async () => embedder });
  // What was sent is found some seconds later.
  for (let tries = 0; tries < 30; tries += 1) {
    const found = await index.search('apple', { topK: 10, mode: 'vector' });
    if (found.ok && found.hits.length === 5) return index;
    await setTimeout(2000);
  }
  throw new Error(`the documents sent to ${name} were not found within a minute`);
});
