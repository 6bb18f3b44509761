import { json, startRawServer } from '@unroll/nodes/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { openAiService } from './openai-service.ts';

const server = await startRawServer();
afterAll(() => server[Symbol.asyncDispose]());

const message = { role: 'assistant', content: 'yes' };
const answer = { id: 'c', choices: [{ index: 0, finish_reason: 'stop', message }] };

test.for([
  { type: 'azure_open_ai', configs: { api_base: server.url } },
  { type: 'open_ai', configs: { base_url: `${server.url}/v1` } },
  { type: 'serverless', configs: { api_base: server.url } },
])('a connection of type $type goes where it says, whatever OPENAI_BASE_URL says', async (connection) => {
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/elsewhere');
  try {
    const service = await openAiService({ name: 'c', secrets: { api_key: 'k' }, ...connection });
    server.answerWith(() => json(answer));
    const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    const result = await service.call('chat', request, { signal: new AbortController().signal });
    expect(result).toMatchObject({ ok: true, reply: { body: { content: 'yes' } } });
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a connection that asks with an identity is made, whatever AZURE_OPENAI_API_KEY says', async () => {
  vi.stubEnv('AZURE_OPENAI_API_KEY', 'k');
  try {
    const configs = { api_base: server.url, auth_mode: 'meid_token' };
    await expect(openAiService({ name: 'c', type: 'azure_open_ai', configs, secrets: {} })).resolves.toBeDefined();
  } finally {
    vi.unstubAllEnvs();
  }
});

test.for([
  { type: 'azure_open_ai', configs: { api_base: server.url, api_version: '' }, secrets: {} },
  { type: 'azure_open_ai', configs: { api_base: server.url }, secrets: { api_key: '' } },
  { type: 'open_ai', configs: { base_url: `${server.url}/v1` }, secrets: {} },
])('a connection of type $type that has no key is told so by the service: %o', async (connection) => {
  const service = await openAiService({ name: 'c', ...connection });
  server.answerWith(() => json({ error: { message: 'no key' } }, 401));
  const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  const result = await service.call('chat', request, { signal: new AbortController().signal });
  expect(result).toMatchObject({ ok: false, error: { code: 'AuthenticationError' } });
});
