import { Redactor } from '@unroll/engine';
import { json, startRawServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { openModelService } from './open-model-service.ts';
import { redactedServices } from './redacted-services.ts';

const server = await startRawServer();
afterAll(() => server[Symbol.asyncDispose]());
const configs = { base_url: `${server.url}/v1` };
const connection = { name: 'c', type: 'open_ai', configs, secrets: { api_key: 'sk-secret-of-the-connection' } };
const signal = new AbortController().signal;
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const message = { role: 'assistant', content: 'yes' };

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

test.for<[depth: number, isTaken: boolean]>([
  [990, true],
  [1001, false],
  [20_000, false],
  [200_000, false],
])('an answer with %d levels beside its message ends its row and nothing else', async ([depth, isTaken]) => {
  const good = JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }], usage });
  server.answerWith(() => json(`${good.slice(0, -1)},"extra":${nested(depth)}}`));
  const service = await redactedServices(openModelService, new Redactor())(connection);
  const result = await service?.call('chat', { model: 'm', messages: [{ role: 'user', content: 'hi' }] }, { signal });
  if (isTaken) expect(result).toMatchObject({ ok: true, reply: { body: message } });
  else {
    const error = {
      code: 'UnusableAnswer',
      message: `the answer of connection "c" is nested deeper than 1000 levels`,
      retryable: true,
      service: { said: JSON.stringify(message) },
    };
    expect(result).toEqual({ ok: false, error });
  }
});
