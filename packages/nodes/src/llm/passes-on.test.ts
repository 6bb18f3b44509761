import { json, type RawAnswer, startRawServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { openModelService } from './open-model-service.ts';
import { passesOn } from './passes-on.ts';

const server = await startRawServer();
afterAll(() => server[Symbol.asyncDispose]());
const { signal } = new AbortController();
const location = 'https://elsewhere.example/login';

test.for<readonly [string, RawAnswer, boolean]>([
  ['a page to log in at', (response) => response.writeHead(302, { location }).end(), true],
  ['an answer that is too large', json({ pad: 'x'.repeat(2000) }), true],
  ['a request that is wrong', json({ error: { message: 'no' } }, 400), false],
])('%s is passed on to another connection: %s', async ([, answer, isPassedOn]) => {
  server.answerWith(() => answer);
  const request = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
  for (const type of ['open_ai', 'anthropic']) {
    const configs = { base_url: `${server.url}/v1`, max_response_bytes: '1000' };
    const service = await openModelService({ name: 'c', type, configs, secrets: { api_key: 'k' } });
    const result = await service?.call('chat', request, { signal });
    if (result === undefined || result.ok) throw new Error('bug: an answer');
    expect(passesOn(result), `${type}: ${result.error.code}`).toBe(isPassedOn);
  }
});
