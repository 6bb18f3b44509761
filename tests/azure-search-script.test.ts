import { startAzureSearchServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';

/** What a user with a key runs against the real service (docs/azure-ai-search.md), run against the server on the loopback. */
const server = await startAzureSearchServer();
afterAll(() => server[Symbol.asyncDispose]());
Object.assign(process.env, { AZURE_SEARCH_ENDPOINT: server.url, AZURE_SEARCH_KEY: server.key });

await import('./azure/azure-search.real.ts');

test('every request named a version and stayed within the published paths', () => {
  expect(server.seen.length).toBeGreaterThan(20);
  expect(new Set(server.seen.map(({ method, path }) => `${method} ${path.replace(/'[^']*'/, "'…'")}`))).toEqual(
    new Set([
      "GET /indexes('…')",
      "PUT /indexes('…')",
      "POST /indexes('…')/docs/search.index",
      "POST /indexes('…')/docs/search.post.search",
    ]),
  );
});
