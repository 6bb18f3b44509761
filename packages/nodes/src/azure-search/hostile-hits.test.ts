import { afterAll, expect, test } from 'vitest';
import { json, startRawServer } from '../testing/raw-server.ts';
import { azureSearchIndex } from './azure-search-index.ts';

const server = await startRawServer();
afterAll(() => server[Symbol.asyncDispose]());

async function ask(body: unknown, topK = 3) {
  server.answerWith(() => json(body));
  const configs = { api_base: server.url, api_version: '2024-07-01', auth_mode: 'key' };
  const connection = { name: 's', type: 'cognitive_search', configs, secrets: { api_key: 'key-of-the-service' } };
  return await (await azureSearchIndex(connection, { name: 'kb' })).search('apple', { topK });
}

const hit = { '@search.score': 1.5, id: 'apple', text: 'An apple.' };

test.for<readonly [string, object, string]>([
  ['no id', { id: undefined }, 'a hit has no text in the column "id": columns names another (columns: {id: …})'],
  ['null as id', { id: null }, 'a hit has no text in the column "id": columns names another (columns: {id: …})'],
  ['a mapping as id', { id: {} }, 'a hit has no text in the column "id": columns names another (columns: {id: …})'],
  ['no text', { text: undefined }, 'a hit has no column "text": columns names another (columns: {text: …})'],
])('a hit with %s is told, not made up', async ([, change, message]) => {
  expect(await ask({ value: [{ ...hit, ...change }] })).toMatchObject({
    ok: false,
    error: { message, retryable: false },
  });
});

test.for<readonly [string, unknown, string]>([
  ['null', null, ''],
  ['a list', ['a', 'b'], '["a","b"]'],
  ['a mapping', { a: 1 }, '{"a":1}'],
])('a text that is %s', async ([, text, shown]) => {
  expect(await ask({ value: [{ ...hit, text }] })).toMatchObject({ ok: true, hits: [{ id: 'apple', text: shown }] });
});

test('more hits than were asked for end the search, whatever page is said to be next', async () => {
  const next = { '@odata.nextLink': `${server.url}/x`, '@search.nextPageParameters': { search: 'apple', skip: 3 } };
  const asked = server.count();
  expect(await ask({ value: [hit, hit], ...next })).toMatchObject({
    ok: true,
    hits: [hit, hit, hit].map(({ id }) => ({ id })),
  });
  expect(server.count() - asked).toBe(2);
});

test('pages without hits and without end are given up', async () => {
  const next = { '@odata.nextLink': `${server.url}/x`, '@search.nextPageParameters': { search: 'apple', skip: 3 } };
  expect(await ask({ value: [], ...next })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('gives page after page without hits') },
  });
});

test('a hit that is nested without end is told as that', async () => {
  const deep = `{"value":[{"@search.score":1,"id":"a","text":"t","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`;
  expect(await ask(deep)).toMatchObject({
    ok: false,
    error: { message: 'the answer of the index is nested too deep' },
  });
});
