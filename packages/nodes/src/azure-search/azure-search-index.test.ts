import { hash } from 'node:crypto';
import type { Connection, JsonObject } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../llm/concurrency-limiter.ts';
import { type AzureSearchServer, startAzureSearchServer } from '../testing/azure-search-server.ts';
import { json, type RawAnswer, startRawServer } from '../testing/raw-server.ts';
import { contractDatabase, searchIndexContract } from '../testing/search-index-contract.ts';
import { azureSearchIndex } from './azure-search-index.ts';
import { uploadIndex } from './upload-index.ts';

let server: AzureSearchServer;
beforeAll(async () => {
  server = await startAzureSearchServer();
});
afterAll(() => server[Symbol.asyncDispose]());

function connectionTo({ url, key }: Pick<AzureSearchServer, 'url' | 'key'>): Connection {
  const configs = { api_base: url, api_version: '2023-11-01', auth_mode: 'key' };
  return { name: 'search', type: 'cognitive_search', configs, secrets: { api_key: key } };
}

const atOnce = { ...systemClock, sleep: async () => undefined };
const { signal } = new AbortController();

searchIndexContract('azure', async (database, embedder) => {
  const connection = connectionTo(server);
  const uploaded = await uploadIndex(database, connection, { name: 'contract', signal });
  if (!uploaded.ok) throw new Error(uploaded.error.message);
  return azureSearchIndex(connection, { name: 'contract', openEmbedder: async () => embedder });
});

test('what has not changed is not sent again, and what is gone is deleted', async () => {
  const { database } = await contractDatabase();
  const upload = () => uploadIndex(database, connectionTo(server), { name: 'twice', signal });
  expect(await upload()).toEqual({ ok: true, uploaded: 5, removed: 0, unchanged: 0, leftOut: [] });
  expect(await upload()).toEqual({ ok: true, uploaded: 0, removed: 0, unchanged: 5, leftOut: [] });
  database.exec("DELETE FROM documents WHERE name = 'pear'; UPDATE documents SET digest = x'00' WHERE name = 'apple'");
  expect(await upload()).toEqual({ ok: true, uploaded: 1, removed: 1, unchanged: 3, leftOut: [] });
  expect(server.count('twice')).toBe(4);
});

test('an upload waits out throttling and sends again what was refused for the moment', async () => {
  const { database } = await contractDatabase();
  const waits: number[] = [];
  const clock = { ...systemClock, sleep: async (ms: number) => void waits.push(ms) };
  server.fail(
    { status: 503, headers: { 'retry-after': '2' }, path: 'search.index' },
    { status: 429, headers: { 'retry-after-ms': '50' }, path: 'search.post' },
  );
  expect(await uploadIndex(database, connectionTo(server), { name: 'slow', signal, clock })).toMatchObject({
    uploaded: 5,
  });
  expect(waits).toEqual([50, 2000]);
});

test('an upload does not wait for more than 10 minutes, and says so', async () => {
  const { database } = await contractDatabase();
  const waits: number[] = [];
  const clock = { ...systemClock, sleep: async (ms: number) => void waits.push(ms) };
  server.fail({ status: 503, headers: { 'retry-after': '999999999' }, path: 'search.index' });
  const uploaded = await uploadIndex(database, connectionTo(server), { name: 'closed', signal, clock });
  const told = 'The service asks to wait 999999999 s; at most 600 s are waited.';
  expect(uploaded).toMatchObject({ ok: false, error: { message: expect.stringContaining(told), retryable: true } });
  expect(waits).toEqual([]);
});

test('an index that gives one page again and again ends an upload', async () => {
  const { database } = await contractDatabase();
  await using raw = await startRawServer();
  const row = { '@search.score': 1, unroll_key: 'k', unroll_digest: 'd' };
  raw.answerWith((request) => json(request === 0 ? { name: 'same', fields: [] } : { value: Array(1000).fill(row) }));
  const connection = connectionTo({ url: raw.url, key: 'k' });
  expect(await uploadIndex(database, connection, { name: 'same', signal, clock: atOnce })).toMatchObject({
    ok: false,
    error: { code: 'UnusableAnswer' },
  });
}, 20_000);

test('of a batch that was taken in part (207) what was refused for the moment is sent again, alone', async () => {
  const { database } = await contractDatabase();
  const key = hash('sha256', 'apple', 'hex');
  const refused = { key, status: false, statusCode: 503, errorMessage: 'busy' };
  server.fail({ status: 207, body: { value: [refused] }, path: 'search.index' });
  const options = { name: 'part', signal, clock: atOnce };
  expect(await uploadIndex(database, connectionTo(server), options)).toMatchObject({ ok: true, uploaded: 5 });
  const sent = server.seen.filter(({ path }) => path.includes('part') && path.endsWith('search.index'));
  const keys = sent.map(({ body }) =>
    (body['value'] as readonly JsonObject[]).map((document) => document['unroll_key']),
  );
  expect(keys.map(({ length }) => length)).toEqual([5, 1]);
  server.fail({ status: 207, body: { value: [{ ...refused, statusCode: 400 }] }, path: 'search.index' });
  expect(await uploadIndex(database, connectionTo(server), { ...options, name: 'part-2' })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('busy'), retryable: false },
  });
});

test('an answer of which the semantic ranker saw a part only (206) is an answer', async () => {
  const index = await azureSearchIndex(connectionTo(server), { name: 'contract', semantic: 'unroll' });
  const body = {
    '@search.semanticPartialResponseReason': 'maxWaitExceeded',
    '@search.semanticPartialResponseType': 'baseResults',
    value: [{ '@search.score': 1.5, id: 'apple', title: 'Apples', text: 'An apple.' }],
  };
  server.fail({ status: 206, body, path: 'search.post.search' });
  expect(await index.search('apple', { topK: 1 })).toMatchObject({ ok: true, hits: [{ id: 'apple', score: 1.5 }] });
});

test.for([
  {
    status: 429,
    headers: { 'retry-after': '3' },
    error: { code: 'RateLimitError', retryable: true },
    retryAfterMs: 3000,
  },
  { status: 503, headers: {}, error: { code: 'RateLimitError', retryable: true } },
  { status: 500, headers: {}, error: { code: 'SearchServiceError', retryable: true } },
  { status: 400, headers: {}, error: { code: 'SearchServiceError', retryable: false } },
])('an answer $status', async ({ status, headers, ...expected }) => {
  const index = await azureSearchIndex(connectionTo(server), { name: 'contract' });
  server.fail({ status, headers });
  expect(await index.search('apple', { topK: 1 })).toMatchObject({ ok: false, ...expected });
});

test('a wrong key and a wrong name are told without the key', async () => {
  const wrongKey = await azureSearchIndex(connectionTo({ url: server.url, key: 'wrong-key-123' }), {
    name: 'contract',
  });
  expect(await wrongKey.search('apple', { topK: 1 })).toEqual({
    ok: false,
    error: {
      code: 'AuthenticationError',
      message:
        'Azure AI Search answered 403 for the index "contract": Access denied due to invalid api-key. (the key may only query, or the identity lacks the role Search Index Data Reader or Contributor)',
      retryable: false,
      service: { host: new URL(server.url).host, status: 403 },
    },
  });
  const missing = await azureSearchIndex(connectionTo(server), { name: 'nothing' });
  expect(await missing.search('apple', { topK: 1 })).toMatchObject({
    error: { code: 'IndexNotFound', retryable: false },
  });
});

test('hits of the semantic ranker carry its scores', async () => {
  const index = await azureSearchIndex(connectionTo(server), { name: 'contract', semantic: 'unroll' });
  expect(await index.search('sweet carrot', { topK: 2 })).toMatchObject({
    hits: [{ id: 'carrot', score: 4 }, { score: 2 }],
  });
});

test('a fusion that the service does not know is refused', async () => {
  const index = await azureSearchIndex(connectionTo(server), { name: 'contract' });
  const fusion = { method: 'linear', weights: { keyword: 1, vector: 1 } } as const;
  expect(await index.search('apple', { topK: 1, mode: 'hybrid', fusion })).toMatchObject({
    error: { message: 'Azure AI Search fuses by reciprocal ranks alone: fusion {method: rrf, weights: …}' },
  });
});

test('a key that may only query filters without the definition', async () => {
  await using other = await startAzureSearchServer({ queryOnly: true });
  const index = await azureSearchIndex(connectionTo(other), { name: 'contract' });
  const filter = { kind: 'is', field: 'kind', values: ['fruit'] } as const;
  expect(await index.search('apple', { topK: 1, filter })).toMatchObject({ error: { code: 'IndexNotFound' } });
  expect(other.seen.at(-1)?.body['filter']).toBe("kind eq 'fruit'");
});

test('more hits than one answer holds are asked for page by page', async () => {
  const { database } = await contractDatabase();
  const insert = database.prepare(`INSERT INTO documents(name, source, digest, text, fields)
    VALUES(?, 1, ?, 'many of them', '{}')`);
  for (let at = 0; at < 1200; at += 1) insert.run(`many-${at}`, Buffer.from(`d${at}`));
  const options = { name: 'many', signal, clock: atOnce };
  expect(await uploadIndex(database, connectionTo(server), options)).toMatchObject({ uploaded: 1205 });
  expect(await uploadIndex(database, connectionTo(server), options)).toMatchObject({ unchanged: 1205 });
  const index = await azureSearchIndex(connectionTo(server), { name: 'many' });
  const result = await index.search('many', { topK: 1100 });
  expect(result.ok && new Set(result.hits.map(({ id }) => id)).size).toBe(1100);
});

async function askRaw(answer: RawAnswer, configs: Readonly<Record<string, string>> = {}) {
  await using raw = await startRawServer();
  raw.answerWith(() => answer);
  const connection = connectionTo({ url: raw.url, key: 'key-of-the-service' });
  const index = await azureSearchIndex(
    { ...connection, configs: { ...connection.configs, ...configs } },
    { name: 'contract' },
  );
  return { result: await index.search('apple', { topK: 1 }), host: new URL(raw.url).host };
}

const hit = { '@search.score': 1.5, id: 'apple', title: 'Apples', text: 'An apple.' };

test.for<readonly [string, RawAnswer]>([
  ['nothing', (response) => response.writeHead(200).end()],
  ['no JSON', json('<p>gateway</p>')],
  ['half of it', json('{"value":[{')],
  ['no hits', json({ value: null })],
  ['hits that are none', json({ value: [7] })],
  ['a hit without a score', json({ value: [{ ...hit, '@search.score': null }] })],
  ['a score that is a text', json({ value: [{ ...hit, '@search.score': '1' }] })],
])('%s in the place of an answer can be tried again', async ([, answer]) => {
  const { result, host } = await askRaw(answer);
  expect(result).toMatchObject({ ok: false, error: { retryable: true, service: { host } } });
  expect(JSON.stringify(result)).not.toMatch(/Cannot read prop|is not iterable|undefined/);
});

test('a redirect is not followed; an answer that is too large is given up', async () => {
  const location = 'https://elsewhere.example/';
  const { result, host } = await askRaw((response) => response.writeHead(302, { location }).end());
  expect(result).toMatchObject({ ok: false, error: { retryable: false, service: { host, status: 302, location } } });
  const large = json({ value: [{ ...hit, text: 'x'.repeat(5000) }] });
  const { result: refused } = await askRaw(large, { max_response_bytes: '4000' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'AnswerTooLarge', retryable: false } });
  expect((await askRaw(large)).result.ok).toBe(true);
});

const lostBodies: readonly (readonly [number, string, string, boolean])[] = [
  [401, '', 'AuthenticationError', false],
  [429, '', 'RateLimitError', true],
  [400, 'null', 'SearchServiceError', false],
  [503, '<p>busy</p>', 'RateLimitError', true],
  [400, '{"error":{"message":5,"code":{}}}', 'SearchServiceError', false],
  [500, '{"error":7}', 'SearchServiceError', true],
  [400, '[1]', 'SearchServiceError', false],
];

test.for(lostBodies)('%s with the body %s keeps its status', async ([status, body, code, retryable]) => {
  const { result, host } = await askRaw((response) => response.writeHead(status).end(body));
  expect(result).toMatchObject({ ok: false, error: { code, retryable, service: { host, status } } });
  if (!result.ok) expect(result.error.service?.said ?? '').toBe(body);
});

test('a search that is stopped is told as such', async () => {
  await using raw = await startRawServer();
  const controller = new AbortController();
  raw.answerWith(() => () => controller.abort());
  const index = await azureSearchIndex(connectionTo({ url: raw.url, key: 'k' }), { name: 'contract' });
  const result = await index.search('apple', { topK: 1, signal: controller.signal });
  expect(result).toMatchObject({ ok: false, error: { code: 'CANCELED', retryable: false } });
});

test('where nobody listens, host and cause are told', async () => {
  const index = await azureSearchIndex(connectionTo({ url: 'http://127.0.0.1:1', key: 'k' }), { name: 'contract' });
  expect(await index.search('apple', { topK: 1 })).toMatchObject({
    ok: false,
    error: {
      message: 'Azure AI Search cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
      retryable: true,
      service: { host: '127.0.0.1:1', errno: 'ECONNREFUSED' },
    },
  });
});

test('an answer with bytes that are no UTF-8 is told as that, and can be tried again', async () => {
  const text = JSON.stringify({ value: [{ ...hit, text: 'caf\u00e9' }] });
  const { result } = await askRaw((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from(text, 'latin1')),
  );
  const message = 'Azure AI Search: the answer holds bytes that are no UTF-8';
  expect(result).toMatchObject({ ok: false, error: { code: 'UnusableAnswer', message, retryable: true } });
});

test('an answer that does not end is given up with its row', async () => {
  await using raw = await startRawServer();
  const stop = new AbortController();
  raw.answerWith(() => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"value":[', () => stop.abort());
  });
  const index = await azureSearchIndex(connectionTo({ url: raw.url, key: 'k' }), { name: 'contract' });
  expect(await index.search('apple', { topK: 1, signal: stop.signal })).toMatchObject({
    ok: false,
    error: { code: 'CANCELED', retryable: false },
  });
});
