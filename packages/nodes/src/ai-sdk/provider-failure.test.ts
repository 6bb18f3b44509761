import type { Connection, ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type AnthropicAnswer, startAnthropicServer } from '../testing/anthropic-server.ts';
import { json, type RawAnswer } from '../testing/raw-server.ts';
import { providerService } from './provider-service.ts';

const { signal } = new AbortController();
const hello: ModelRequest = { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 };

async function callAt(url: string, configs: Readonly<Record<string, string>> = {}, onText?: (text: string) => void) {
  const connection: Connection = {
    name: 'claude',
    type: 'anthropic',
    configs: { base_url: url, ...configs },
    secrets: { api_key: 'never-shown-1' },
  };
  const service = await providerService(connection, [import.meta.dirname]);
  return await service.call('chat', hello, { signal, ...(onText === undefined ? {} : { onText }) });
}

async function ask(
  answer: AnthropicAnswer,
  configs: Readonly<Record<string, string>> = {},
  onText?: (text: string) => void,
) {
  await using server = await startAnthropicServer(answer);
  return await callAt(server.url, configs, onText);
}

test.for([
  [400, 'invalid_request_error', 'BadRequestError', false],
  [401, 'authentication_error', 'AuthenticationError', false],
  [403, 'permission_error', 'PermissionDeniedError', false],
  [404, 'not_found_error', 'NotFoundError', false],
  [413, 'request_too_large', 'APIStatusError', false],
  [429, 'rate_limit_error', 'RateLimitError', true],
  [500, 'api_error', 'InternalServerError', true],
  [529, 'overloaded_error', 'InternalServerError', true],
] as const)('%i %s is %s, tried again: %s; its words are told without the key', async ([status, type, code, again]) => {
  const error = { status, type, message: 'no: never-shown-1', headers: { 'retry-after': '7' } };
  for (const onText of [undefined, () => undefined]) {
    expect(await ask({ error }, {}, onText)).toMatchObject({
      ok: false,
      error: {
        code,
        message: `no: *** (HTTP ${status})`,
        retryable: again,
        service: { host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), status, said: expect.stringContaining(type) },
      },
      retryAfterMs: 7000,
    });
  }
});

const said = { content: [{ type: 'text', text: 'Hello to you all.' }] };

test.for([
  ['breaks off', { after: 5, breaks: true }, 'APIConnectionError', /socket|terminated|closed/],
  ['ends early', { after: 5, breaks: false }, 'UnusableAnswer', /^the stream ended before the answer was complete$/],
  ['is empty', { after: 0, breaks: false }, 'UnusableAnswer', /^the stream ended before the answer was complete$/],
] as const)('a stream that %s can be asked for again', async ([, cut, code, message]) => {
  const result = await ask({ ...said, cut }, {}, () => undefined);
  expect(result).toMatchObject({ ok: false, error: { code, retryable: true } });
  expect(!result.ok && result.error.message).toMatch(message);
});

test('an error within a stream', async () => {
  const raw: RawAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const start = { type: 'message_start', message: { id: 'm', model: 'c', usage: { input_tokens: 1 } } };
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded: never-shown-1' } };
    response.end([start, error].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  };
  const result = await ask({ raw }, {}, () => undefined);
  expect(result).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('Overloaded: ***'), retryable: true },
  });
});

test.for<readonly [string, RawAnswer]>([
  ['nothing', json({})],
  ['a text that is none', json({ id: 'm', content: [{ type: 'text', text: 5 }], stop_reason: 'end_turn', usage: {} })],
  ['no JSON', json('<p>gateway</p>')],
  ['half of it', json('{"id":"m","content":[{"type":"te')],
])('%s in the place of an answer can be tried again', async ([, raw]) => {
  expect(await ask({ raw })).toMatchObject({
    ok: false,
    error: { code: 'UnusableAnswer', message: expect.stringMatching(/^the answer cannot be used: /), retryable: true },
  });
});

test('bytes that are no UTF-8, in a whole answer and in a stream', async () => {
  const text = JSON.stringify({ content: [{ type: 'text', text: 'caf\u00e9' }] });
  const answers: readonly (readonly [RawAnswer, ((text: string) => void) | undefined])[] = [
    [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from(text, 'latin1')),
      undefined,
    ],
    [
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(Buffer.from(`data: ${text}\n\n`, 'latin1')),
      () => undefined,
    ],
  ];
  for (const [raw, onText] of answers) {
    expect(await ask({ raw }, {}, onText)).toMatchObject({
      ok: false,
      error: { code: 'UnusableAnswer', message: 'the answer holds bytes that are no UTF-8', retryable: true },
    });
  }
});

test('an answer that is larger than what is taken', async () => {
  const raw = json({ ...said, pad: 'x'.repeat(2000) });
  expect(await ask({ raw }, { max_response_bytes: '1000' })).toMatchObject({
    ok: false,
    error: { code: 'AnswerTooLarge', message: expect.stringContaining('1000 bytes'), retryable: false },
  });
});

test('a server that is not there', async () => {
  expect(await callAt('http://127.0.0.1:1/v1')).toMatchObject({
    ok: false,
    error: {
      code: 'APIConnectionError',
      message: 'connect ECONNREFUSED 127.0.0.1:1',
      retryable: true,
      service: { host: '127.0.0.1:1', errno: 'ECONNREFUSED' },
    },
  });
});

test('a call that is broken off ends', async () => {
  const stop = new AbortController();
  await using server = await startAnthropicServer({
    raw: () => stop.abort(new Error('the run was stopped')),
  });
  const connection = { name: 'c', type: 'anthropic', configs: { base_url: server.url }, secrets: { api_key: 'k' } };
  const service = await providerService(connection, [import.meta.dirname]);
  const result = await service.call('chat', hello, { signal: stop.signal });
  expect(result).toMatchObject({ ok: false, error: { message: 'the run was stopped', retryable: false } });
});
