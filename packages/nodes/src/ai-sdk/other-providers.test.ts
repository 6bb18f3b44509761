import type { Connection, JsonObject, ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { serviceEmbedder } from '../embedders/service-embedder.ts';
import { systemClock } from '../llm/concurrency-limiter.ts';
import { googleProblem } from '../testing/check-google-request.ts';
import { mistralProblem } from '../testing/check-mistral-request.ts';
import { startHttpServer } from '../testing/http-server.ts';
import { providerService } from './provider-service.ts';

const { signal } = new AbortController();

interface Maker {
  readonly path: string;
  readonly problem: typeof googleProblem;
}
const makers: Readonly<Record<string, Maker>> = {
  google: { path: '/v1beta', problem: googleProblem },
  mistral: { path: '/v1', problem: mistralProblem },
};

/** A service of one maker, held to its contract, that answers from a list. */
async function withService<T>(
  type: 'google' | 'mistral',
  answers: readonly object[],
  use: (service: Awaited<ReturnType<typeof providerService>>, sent: readonly JsonObject[]) => Promise<T>,
): Promise<T> {
  const left = [...answers];
  const sent: JsonObject[] = [];
  const { path, problem } = makers[type] as Maker;
  await using server = await startHttpServer(({ url, headers, body }) => {
    const told = JSON.parse(body) as JsonObject;
    sent.push(told);
    const wrong = problem(`${url.pathname}${url.search}`, headers, told);
    if (wrong === undefined) return { body: left.shift() };
    const error = { code: 400, message: wrong, status: 'INVALID_ARGUMENT' };
    return { status: 400, body: type === 'google' ? { error } : { object: 'error', message: wrong, type: 'invalid' } };
  });
  const connection: Connection = {
    name: type,
    type,
    configs: { base_url: `${server.url}${path}` },
    secrets: { api_key: 'never-shown-1' },
  };
  return await use(await providerService(connection, [import.meta.dirname]), sent);
}

const search = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};
const question: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'q1' },
  ],
  tools: [{ type: 'function', function: search }],
  temperature: 0.5,
  max_tokens: 50,
  stop: ['END'],
};

/** Asks, answers the one call that comes, and asks again. */
async function roundTrip(service: Awaited<ReturnType<typeof providerService>>, model: string) {
  const first = await service.call('chat', { model, ...question }, { signal });
  if (!first.ok) throw new Error(first.error.message);
  const message = first.reply.body as JsonObject;
  const [call] = message['tool_calls'] as readonly JsonObject[];
  const messages = [
    ...(question['messages'] as readonly JsonObject[]),
    message,
    { role: 'tool', tool_call_id: call?.['id'] ?? '', content: 'found' },
  ];
  return { first, second: await service.call('chat', { model, ...question, messages }, { signal }) };
}

test('Google: a tool is called and answered, its thought signature goes back with the call', async () => {
  const usageMetadata = {
    promptTokenCount: 100,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 20,
    cachedContentTokenCount: 64,
    totalTokenCount: 125,
  };
  const answer = (parts: readonly object[]): object => ({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata,
    modelVersion: 'gemini-3.5-flash',
  });
  const call = { functionCall: { name: 'search', args: { q: 'a' } }, thoughtSignature: 'c2ln' };
  await withService('google', [answer([call]), answer([{ text: 'done' }])], async (service, sent) => {
    const { first, second } = await roundTrip(service, 'gemini-3.5-flash');
    expect(first).toMatchObject({
      reply: {
        body: {
          tool_calls: [
            {
              function: { name: 'search', arguments: '{"q":"a"}' },
              provider_options: { google: { thoughtSignature: 'c2ln' } },
            },
          ],
        },
        usage: {
          promptTokens: 100,
          completionTokens: 25,
          totalTokens: 125,
          details: { cachedTokens: 64, reasoningTokens: 20 },
        },
      },
    });
    expect(second).toMatchObject({ ok: true, reply: { body: { content: 'done' } } });
    expect(sent[0]).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'q1' }] }],
      generationConfig: { temperature: 0.5, maxOutputTokens: 50, stopSequences: ['END'] },
      tools: [{ functionDeclarations: [{ name: 'search', description: 'Searches.' }] }],
    });
    expect(sent[1]).toMatchObject({
      contents: [
        {},
        { role: 'model', parts: [{ ...call, functionCall: { name: 'search', args: { q: 'a' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'search' } }] },
      ],
    });
  });
});

test('Google: a prompt that was blocked, and an image by an address it does not fetch', async () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5 } };
  await withService('google', [blocked], async (service, sent) => {
    const result = await service.call('chat', { model: 'gemini-3.5-flash', ...question }, { signal });
    expect(result).toMatchObject({
      ok: true,
      reply: {
        body: { content: '', refusal: expect.stringMatching(/^the model gave no answer \(/) },
        whole: { choices: [{ finish_reason: 'content_filter' }] },
      },
    });
    const content = [{ type: 'image_url', image_url: { url: 'http://example.com/a.png' } }];
    const request = { model: 'gemini-2.0-flash', messages: [{ role: 'user', content }] };
    expect(await service.call('chat', request, { signal })).toMatchObject({
      ok: false,
      error: {
        code: 'UnsupportedRequest',
        message: 'this provider fetches no image from http://example.com: give the image as a file of the flow',
      },
    });
    expect(sent).toHaveLength(1);
  });
});

test('Mistral: a tool is called and answered', async () => {
  const answer = (message: object, reason: string): object => ({
    id: 'm1',
    object: 'chat.completion',
    created: 0,
    model: 'mistral-small-latest',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
    usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 },
  });
  const call = { id: 'abcDEF123', function: { name: 'search', arguments: '{"q": "a"}' } };
  const answers = [answer({ content: '', tool_calls: [call] }, 'tool_calls'), answer({ content: 'done' }, 'stop')];
  await withService('mistral', answers, async (service, sent) => {
    const { first, second } = await roundTrip(service, 'mistral-small-latest');
    expect(first).toMatchObject({ reply: { usage: { promptTokens: 20, completionTokens: 4, totalTokens: 24 } } });
    expect(second).toMatchObject({ ok: true, reply: { body: { content: 'done' } } });
    expect(sent[0]).toMatchObject({ temperature: 0.5, max_tokens: 50, stop: ['END'], tools: [{ type: 'function' }] });
    expect(sent[1]).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'abcDEF123', function: { name: 'search' } }] },
        { role: 'tool', tool_call_id: 'abcDEF123', content: 'found' },
      ],
    });
  });
});

test('a refusal of a service keeps its words', async () => {
  await withService('mistral', [], async (service) => {
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'half an answer' },
    ];
    const result = await service.call('chat', { model: 'm', messages, n: 1 }, { signal });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'BadRequestError', service: { status: 400, said: expect.stringContaining('Expected last role') } },
    });
  });
});

test('embeddings: more texts than go into one call, and one alone', async () => {
  const vectors = Array.from({ length: 40 }, (_, at) => [at, 1]);
  const answer = (part: readonly (readonly number[])[]): object => ({
    id: 'e1',
    object: 'list',
    model: 'mistral-embed',
    data: part.map((embedding, index) => ({ object: 'embedding', embedding, index })),
    usage: { prompt_tokens: 3 * part.length, total_tokens: 3 * part.length },
  });
  const answers = [answer(vectors.slice(0, 32)), answer(vectors.slice(32)), answer([[7, 8]])];
  await withService('mistral', answers, async (service, sent) => {
    const embedder = serviceEmbedder(service, { model: 'mistral-embed' }, systemClock);
    const result = await embedder.embed(vectors.map(String), 'document', signal);
    expect(result).toEqual({
      ok: true,
      vectors: vectors.map((vector) => Float32Array.from(vector)),
      usage: { promptTokens: 120, completionTokens: 0, totalTokens: 120 },
    });
    expect(sent.map(({ input }) => (input as readonly string[]).length)).toEqual([32, 8]);
    expect(await embedder.embed(['one'], 'query', signal)).toMatchObject({ vectors: [Float32Array.of(7, 8)] });
  });
});

test('embeddings of Google, of so many numbers', async () => {
  await withService('google', [{ embeddings: [{ values: [1, 2] }, { values: [3, 4] }] }], async (service, sent) => {
    const request = { model: 'gemini-embedding-001', input: ['a', 'b'], dimensions: 2 };
    expect(await service.call('embedding', request, { signal })).toMatchObject({
      ok: true,
      reply: {
        body: [1, 2],
        whole: [
          [1, 2],
          [3, 4],
        ],
      },
    });
    expect(sent[0]).toMatchObject({ requests: [{ outputDimensionality: 2 }, { outputDimensionality: 2 }] });
  });
});

test('a maker without embeddings says so', async () => {
  const connection = { name: 'c', type: 'anthropic', configs: {}, secrets: { api_key: 'k' } };
  const service = await providerService(connection, [import.meta.dirname]);
  const result = await service.call('embedding', { model: 'claude-sonnet-4-5', input: 'a' }, { signal });
  expect(result).toMatchObject({ ok: false, error: { code: 'NoSuchModelError', retryable: false } });
});
