import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, ConcurrencyLimiter } from '../llm/concurrency-limiter.ts';
import { openModelService } from '../llm/open-model-service.ts';
import { type OpenAiServer, startOpenAiServer } from '../testing/openai-server.ts';
import { askForQueries, type QueryAsking } from './ask-for-queries.ts';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const tool = {
  own: 'Train delays',
  group: 'Trains',
  category: 'Travel',
  description: 'Whether a train is late.',
  parameters: { type: 'object', properties: { number: { type: 'string', description: 'its number' } } },
};

async function asking(): Promise<QueryAsking> {
  const clock: Clock = { now: () => 0, sleep: async () => undefined };
  const configs = { base_url: `${server.url}/v1` };
  const service = await openModelService({ name: 'mine', type: 'open_ai', configs, secrets: { api_key: 'key-1234' } });
  if (service === undefined) throw new Error('no service');
  const { signal } = new AbortController();
  return { service, model: 'gpt-4o-mini', count: 2, gate: new ConcurrencyLimiter(), clock, signal };
}

test('a tool is told by its documentation, its queries come in a schema', async () => {
  const content = JSON.stringify({
    queries: ['Is ICE 571 late?', ' Is ICE 571 late? ', 'Is my train on time?', 'third'],
  });
  server.add({ message: { role: 'assistant', content } });
  const before = server.requests.length;
  expect(await askForQueries(tool, await asking())).toMatchObject({
    ok: true,
    queries: ['Is ICE 571 late?', 'Is my train on time?'],
    usage: { totalTokens: expect.any(Number) },
  });
  const [sent] = server.requests.slice(before);
  expect(sent?.body).toMatchObject({
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: expect.stringContaining('Write 2 different ones') },
      { role: 'user', content: 'Train delays (Trains, Travel)\nWhether a train is late.\nnumber: its number' },
    ],
    response_format: { type: 'json_schema', json_schema: { strict: true } },
  });
});

test('an answer without queries has taken its tokens all the same', async () => {
  server.add({ message: { role: 'assistant', content: 'I cannot.' } });
  expect(await askForQueries(tool, await asking())).toMatchObject({
    ok: false,
    usage: { totalTokens: expect.any(Number) },
  });
});

test.for([
  { said: { message: { role: 'assistant', content: 'I cannot.' } }, code: 'NoQueries' },
  { said: { message: { role: 'assistant', content: '{"queries": []}' } }, code: 'NoQueries' },
  { said: { status: 400, error: { message: 'no such model' } }, code: expect.any(String) },
])('what is no list of queries is an error: $said', async ({ said, code }) => {
  server.add(said);
  expect(await askForQueries(tool, await asking())).toMatchObject({ ok: false, error: { code } });
});
