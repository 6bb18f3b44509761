import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../llm/concurrency-limiter.ts';
import { openModelService } from '../llm/open-model-service.ts';
import { type OpenAiServer, startOpenAiServer } from '../testing/openai-server.ts';
import { openEmbedder } from './open-embedder.ts';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server[Symbol.asyncDispose]());

let now = 0;
const clock: Clock = {
  now: () => now,
  sleep: async (ms) => {
    now += ms;
  },
};
const { signal } = new AbortController();

async function embedderOf(type: 'open_ai' | 'azure_open_ai') {
  const configs =
    type === 'open_ai' ? { base_url: `${server.url}/v1` } : { api_base: server.url, api_version: '2024-02-01' };
  const connection = { name: 'mine', type, configs, secrets: { api_key: 'key-1234' } };
  const kept = { connection: 'mine', model: 'text-embedding-3-small', dimensions: 2 };
  const embedder = await openEmbedder(connection, kept, { openService: openModelService, clock });
  if (typeof embedder === 'string') throw new Error(embedder);
  return embedder;
}

test.for(['open_ai', 'azure_open_ai'] as const)(
  '%s: several texts are one request, vectors come in their order',
  async (type) => {
    const embedder = await embedderOf(type);
    const embeddings = [
      [1, 0],
      [0, 1],
      [0.5, 0.5],
    ];
    server.add({ embeddings });
    const before = server.requests.length;
    const result = await embedder.embed(['a', 'b', 'c'], 'document', signal);
    expect(result).toEqual({
      ok: true,
      vectors: embeddings.map((vector) => Float32Array.from(vector)),
      usage: { promptTokens: 9, completionTokens: 0, totalTokens: 9 },
    });
    expect(server.requests.slice(before).map(({ body }) => [body['input'], body['dimensions']])).toEqual([
      [['a', 'b', 'c'], 2],
    ]);
    expect(embedder.model).toBe('text-embedding-3-small (2)');
  },
);

test('a failure that passes is tried again, another is told', async () => {
  const embedder = await embedderOf('open_ai');
  server.add({ status: 429, headers: { 'retry-after': '1' } }, { embedding: [1, 2] });
  expect(await embedder.embed(['a'], 'query', signal)).toMatchObject({ ok: true, vectors: [Float32Array.of(1, 2)] });
  server.add({ status: 400, error: { message: 'too long' } });
  expect(await embedder.embed(['a'], 'query', signal)).toMatchObject({ ok: false, error: { retryable: false } });
});

test('fewer vectors than texts are an error', async () => {
  server.add({ embeddings: [[1, 0]] });
  expect(await (await embedderOf('open_ai')).embed(['a', 'b'], 'document', signal)).toMatchObject({
    ok: false,
    error: {
      code: 'UnusableAnswer',
      message: expect.stringContaining('the service was sent 2 texts and answered 1, of index 0'),
      retryable: false,
    },
  });
});

test('long lists are cut into requests', async () => {
  const vectors = Array.from({ length: 300 }, (_, at) => [at, 1]);
  server.add({ embeddings: vectors.slice(0, 256) }, { embeddings: vectors.slice(256) });
  const result = await (await embedderOf('open_ai')).embed(vectors.map(String), 'document', signal);
  expect(result.ok && result.vectors.map(([first]) => first)).toEqual(vectors.map(([first]) => first));
});

test('a service that takes no number of dimensions is told, and not what it gave', async () => {
  const embedder = await embedderOf('open_ai');
  server.add({ embedding: [1, 2, 3] });
  expect(await embedder.embed(['a'], 'document', signal)).toEqual({
    ok: false,
    error: {
      code: 'EmbeddingError',
      message: 'the model text-embedding-3-small was asked for vectors of 2 numbers and gave 3: leave dimensions out',
      retryable: false,
    },
  });
});
