import { expect, test } from 'vitest';
import { openAiService } from '../openai/openai-service.ts';
import { startOpenAiServer } from '../testing/openai-server.ts';
import type { ServerReply } from '../testing/server-reply.ts';
import { testFeatures } from './test-features.ts';

const signal = new AbortController().signal;
const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Paris"}' } };

async function tested(replies: readonly ServerReply[], api: 'chat' | 'responses' = 'chat', patienceMs?: number) {
  await using server = await startOpenAiServer(replies);
  const connection = {
    name: 'mine',
    type: 'open_ai',
    configs: { base_url: `${server.url}/v1` },
    secrets: { api_key: 'sekret-key-1' },
  };
  const model = { api, model: 'm' };
  const features = await testFeatures(await openAiService(connection), connection, model, signal, patienceMs);
  return { features, requests: server.requests.map(({ body }) => body) };
}

test.for(['chat', 'responses'] as const)('a model that does all three, through %s', async (api) => {
  const replies = [
    { message: { content: null, tool_calls: [call] } },
    { message: { content: '{"colour": "blue"}' } },
    { message: { content: 'one two three' } },
  ];
  const { features, requests } = await tested(replies, api);
  expect(features.map(({ feature, works }) => [feature, works])).toEqual([
    ['tools', true],
    ['JSON schema', true],
    ['streaming', true],
  ]);
  expect(requests.map(({ model, stream = false }) => [model, stream])).toEqual([
    ['m', false],
    ['m', false],
    ['m', true],
  ]);
});

test('a model that answers in words, in another form, and not at all', async () => {
  const { features } = await tested([
    { message: { content: 'It rains.' } },
    { message: { content: 'Blue.' } },
    { status: 400, error: { message: 'no streams with sekret-key-1', type: 'invalid_request_error', code: null } },
  ]);
  expect(features.slice(0, 2)).toEqual([
    { feature: 'tools', works: false, message: 'it answered in words and did not call the tool it was offered' },
    { feature: 'JSON schema', works: false, message: 'its answer has another form' },
  ]);
  expect(features[2]).toMatchObject({ feature: 'streaming', works: false });
  expect(features[2]?.message).toContain('no streams with');
  expect(features[2]?.message).not.toContain('sekret-key-1');
});

test('a model that does not end its answer in time is told as that', async () => {
  const slow = { message: { content: 'It rains.' }, delayMs: 60_000 };
  const { features } = await tested([slow, slow, slow], 'chat', 50);
  const told = 'it did not end its answer within 0.05 s';
  expect(features.map(({ works, message }) => [works, message])).toEqual(features.map(() => [false, told]));
});
