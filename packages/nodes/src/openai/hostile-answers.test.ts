import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ModelRequest, ModelResult } from '@unroll/engine';
import { events, json, type RawAnswer, selfSigned, startRawServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { openAiService } from './openai-service.ts';

const server = await startRawServer();
afterAll(() => server[Symbol.asyncDispose]());
const key = 'sk-secret-of-the-connection';
const configs = { base_url: `${server.url}/v1`, max_response_bytes: '100000' };
const service = await openAiService({ name: 'c', type: 'open_ai', configs, secrets: { api_key: key } });
const signal = new AbortController().signal;
const host = new URL(server.url).host;

type Api = 'chat' | 'completion' | 'embedding';
const requests: Readonly<Record<Api, ModelRequest>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  completion: { model: 'm', prompt: 'hi' },
  embedding: { model: 'm', input: 'hi' },
};

async function ask(api: Api, answer: RawAnswer, stream = false): Promise<ModelResult> {
  server.answerWith(() => answer);
  return await service.call(api, stream ? { ...requests[api], stream: true } : requests[api], { signal });
}

function failureOf(result: ModelResult) {
  if (result.ok) throw new Error(`was answered: ${JSON.stringify(result.reply)}`);
  const { code, retryable, message, service: told } = result.error;
  const prefix = `OpenAI API hits ${code}: `;
  expect(message.startsWith(prefix)).toBe(true);
  const said = message.slice(prefix.length).replace(/ \[Error reference: .*\]$/, '');
  return { code, retryable, said, told };
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const message = { role: 'assistant', content: 'yes' };
const choice = { index: 0, finish_reason: 'stop', message };
const vectors = { data: [{ index: 0, embedding: [1, 0] }], usage };
const good = { id: 'c', choices: [choice], usage };

test.for([
  ['20.5', 20.5, 'usage.prompt_tokens as 20.5'],
  ['1e300', 1e300, 'usage.prompt_tokens as 1e+300'],
  ['a mapping', { a: 1 }, 'usage.prompt_tokens as {"a":1}'],
  ['a text', '20', 'usage.prompt_tokens as "20"'],
  ['true', true, 'usage.prompt_tokens as true'],
  ['negative', -1, 'usage.prompt_tokens as -1'],
  ['missing', undefined, 'usage.prompt_tokens as nothing'],
] as const)('tokens that are %s are left out and told', async ([, tokens, told]) => {
  const result = await ask('chat', json({ ...good, usage: { ...usage, prompt_tokens: tokens } }));
  expect(result).toMatchObject({
    ok: true,
    reply: { body: message, warnings: [`the service told ${told}, which is no count of tokens: not counted`] },
  });
  expect(result).not.toHaveProperty('reply.usage');
});

test.for([
  [20.5, ['the service told usage as 20.5, which is no count of tokens: not counted']],
  [[], ['the service told usage as [], which is no count of tokens: not counted']],
  [undefined, ['the service did not tell how many tokens it used: none are counted']],
  [null, ['the service did not tell how many tokens it used: none are counted']],
])('a usage of %j is left out and told', async ([told, warnings]) => {
  const result = await ask('chat', json({ ...good, usage: told }));
  expect(result).toEqual({ ok: true, reply: { body: message, whole: expect.anything(), warnings } });
});

test('a total that is no count is worked out; parts that are more than their whole are left out', async () => {
  const told = {
    ...usage,
    total_tokens: '15',
    prompt_tokens_details: { cached_tokens: 8, audio_tokens: 11 },
    completion_tokens_details: { reasoning_tokens: 4, accepted_prediction_tokens: 1.5 },
  };
  expect(await ask('chat', json({ ...good, usage: told }))).toMatchObject({
    ok: true,
    reply: {
      usage: {
        promptTokens: 10,
        completionTokens: 5,
        totalTokens: 15,
        details: { cachedTokens: 8, reasoningTokens: 4 },
      },
      warnings: [
        'the service told usage.total_tokens as "15", which is no count of tokens: not counted',
        'the service told audioPromptTokens as 11, which is no count of tokens: not counted',
        'the service told acceptedPredictionTokens as 1.5, which is no count of tokens: not counted',
      ],
    },
  });
});

function vectorOf(embedding: unknown): RawAnswer {
  return json({ data: [{ index: 0, embedding }], usage });
}

const unusable: readonly (readonly [string, Api, RawAnswer, string, string])[] = [
  [
    'no choices',
    'chat',
    json({ choices: [], usage }),
    'the answer cannot be used: "choices" is an empty list',
    '"choices":[]',
  ],
  [
    'no message',
    'chat',
    json({ choices: [{ message: null }] }),
    'the answer cannot be used: choices[0].message',
    'null',
  ],
  ['a number', 'chat', json('20.5'), 'the answer cannot be used: expected object, received', '20.5'],
  ['a list', 'chat', json([good]), 'the answer cannot be used: expected object, received', '"choices"'],
  [
    'content that is no text',
    'chat',
    json({ choices: [{ message: { content: 5 } }] }),
    'choices[0].message.content',
    '5',
  ],
  ['a call without a name', 'chat', json({ choices: [{ message: { tool_calls: [{ function: {} }] } }] }), 'name', '{}'],
  ['half of it', 'chat', json('{"choices":[{"mess'), 'the answer is said to be JSON and is none', '{"choices":[{"mess'],
  [
    'a text',
    'chat',
    (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>Gateway</p>'),
    'the answer is text/html, not JSON',
    '<p>Gateway</p>',
  ],
  ['no text', 'completion', json({ choices: [{ text: null }] }), 'choices[0].text', 'null'],
  ['no choices', 'completion', json({ choices: [] }), '"choices" is an empty list', '[]'],
  ['no vector', 'embedding', json({ data: [] }), 'data: ', '[]'],
  ['a vector of texts', 'embedding', json({ data: [{ index: 0, embedding: ['a'] }] }), 'data[0].embedding', '"a"'],
  ['a vector of words', 'embedding', vectorOf('service unavailable, sorry'), 'data[0].embedding', 'sorry'],
  ['a vector beyond 32 bits', 'embedding', vectorOf([1e308, 1]), 'no number of 32 bits', '1e+308'],
  [
    'a vector whose bytes are no whole numbers',
    'embedding',
    vectorOf('AACAPwAAAAAA'),
    'data[0].embedding',
    'AACAPwAAAAAA',
  ],
  ['a vector of zeros', 'embedding', vectorOf([0, 0]), 'all zero', '[0,0]'],
  ['a vector of next to nothing', 'embedding', vectorOf([1e-320, 0]), 'all zero', '1e-320'],
  [
    'not a number',
    'embedding',
    json({ data: [{ index: 0, embedding: 'AADAfw==' }] }),
    'hold what is no number',
    'AADAfw',
  ],
];

test.for(unusable)('%s in the place of an answer can be tried again (%s)', async ([, api, answer, text, said]) => {
  const failure = failureOf(await ask(api, answer));
  expect(failure).toMatchObject({ code: 'UnusableAnswer', retryable: true, told: { host } });
  expect(failure.said).toContain(text);
  expect(failure.told?.said).toContain(said);
});

test('an answer of nothing is told as such', async () => {
  for (const status of [200, 204]) {
    const failure = failureOf(await ask('chat', (response) => response.writeHead(status).end()));
    expect(failure).toMatchObject({ code: 'UnusableAnswer', retryable: true, said: 'the service answered nothing' });
  }
});

test.for([
  [{ message: 'the model is loading', type: 'server_error' }, true, '(server_error): the model is loading'],
  [{ message: 'no such model', code: 'model_not_found' }, false, '(model_not_found): no such model'],
  [{ message: 'too long', code: 400 }, false, '(400): too long'],
  [{ message: 'slow down', code: 429 }, true, '(429): slow down'],
  ['out of memory', true, ': out of memory'],
  [{ detail: [1] }, true, ': {"detail":[1]}'],
] as const)('HTTP 200 with the error %j is the error of the service', async ([error, retryable, told]) => {
  for (const [api, stream] of [
    ['chat', false],
    ['completion', false],
    ['embedding', false],
    ['chat', true],
  ] as const) {
    const failure = failureOf(await ask(api, json({ error }), stream));
    const said = `the service answered with an error${told.startsWith(':') ? '' : ' '}${told}`;
    expect(failure).toMatchObject({ code: 'APIError', retryable, said, told: { host } });
  }
});

test.for([
  [400, '<html>proxy says no</html>', false, '<html>proxy says no</html>'],
  [502, 'upstream is gone', true, 'upstream is gone'],
  [400, `the key ${key} is wrong`, false, 'the key *** is wrong'],
  [500, '', true, undefined],
  [413, 'x'.repeat(50_000), false, `${'x'.repeat(1000)}…`],
] as const)('%s with a body that is no JSON keeps its words', async ([status, body, retryable, said]) => {
  const failure = failureOf(await ask('chat', (response) => response.writeHead(status).end(body)));
  expect(failure).toMatchObject({ retryable, told: { host, status } });
  expect(failure.told?.said).toBe(said);
});

test.for([301, 302, 307, 308])('a redirect (%s) is not followed, and told', async (status) => {
  const location = 'https://elsewhere.example/login';
  const failure = failureOf(await ask('chat', (response) => response.writeHead(status, { location }).end()));
  expect(failure).toMatchObject({ code: 'APIStatusError', retryable: false, told: { host, status, location } });
});

const part = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const start = [part({ role: 'assistant' }), part({ content: 'Half an ' })];

test.for([
  ['ends without a word', events([]), 'the stream ended without an event', undefined],
  ['ends without finish_reason', events(start), 'the stream ended before the answer was complete', 'Half an '],
  ['is some JSON', json({ answer: 'yes' }), 'a stream was asked for, and application/json came', '"yes"'],
  [
    'is a page',
    (r: Parameters<RawAnswer>[0]) => r.writeHead(200).end('<p>no</p>'),
    'a stream was asked for',
    '<p>no</p>',
  ],
  ['holds what is no JSON', events([...start, '{"choices":']), 'a part of the stream is no JSON', undefined],
  ['holds null as a choice', events([...start, { choices: [null] }]), 'a part of the stream cannot be used', 'null'],
  ['holds a text as a choice', events([...start, { choices: ['yes'] }]), 'a part of the stream cannot be used', 'yes'],
  ['holds no delta', events([...start, { choices: [{ delta: 5 }] }]), 'a part of the stream cannot be used', '5'],
  ['calls function 10⁹', events([part({ tool_calls: [{ index: 1e9 }] })]), 'choices[0].delta.tool_calls[0].index', '1'],
  [
    'ends with an error',
    events([...start, { error: { message: 'overloaded' } }]),
    'with an error: overloaded',
    'overloaded',
  ],
] as const)('a stream that %s can be tried again', async ([, answer, text, said]) => {
  const failure = failureOf(await ask('chat', answer, true));
  expect(failure.retryable).toBe(true);
  expect(failure.said).toContain(text);
  if (said !== undefined) expect(failure.told?.said).toContain(said);
});

test('a stream that breaks off is a lost connection', async () => {
  const failure = failureOf(await ask('chat', events(start, true), true));
  expect(failure).toMatchObject({
    code: 'APIConnectionError',
    retryable: true,
    told: { host, errno: 'UND_ERR_SOCKET' },
  });
});

test.for<readonly [string, RawAnswer]>([
  ['[DONE] alone', events([...start, '[DONE]'])],
  ['finish_reason alone', events([...start, part({}, 'stop')])],
])('a stream that ends with %s is complete', async ([, answer]) => {
  expect(await ask('chat', answer, true)).toMatchObject({ ok: true, reply: { body: { content: 'Half an ' } } });
});

test.for<readonly [Api, object]>([
  ['chat', good],
  ['completion', { choices: [{ text: 'yes', finish_reason: 'stop' }], usage: good.usage }],
])('a whole answer of %s in the place of a stream is taken, and told', async ([api, answer]) => {
  const result = await ask(api, json(answer), true);
  const told = 'a stream was asked for, and the service answered whole: it may not be able to stream';
  expect(result).toMatchObject({ ok: true, reply: { warnings: [told] } });
  expect(JSON.stringify(result)).toContain('"yes"');
});

test('the words [DONE] within an answer end nothing', async () => {
  const failure = failureOf(await ask('chat', events([part({ content: 'x data: [DONE]' })]), true));
  expect(failure.code).toBe('UnusableAnswer');
});

test.for([
  ['exactly the limit', 'chat', good, 100_000, true],
  ['one byte more', 'chat', good, 100_001, false],
  ['exactly the limit', 'embedding', vectors, 100_000, true],
  ['one byte more', 'embedding', vectors, 100_001, false],
] as const)('of an answer of %s (%s)', async ([, api, answered, size, isTaken]) => {
  const empty = JSON.stringify({ ...answered, pad: '' }).length;
  const body = JSON.stringify({ ...answered, pad: 'x'.repeat(size - empty) });
  const packed = gzipSync(body);
  for (const answer of [
    json(body),
    (response: Parameters<RawAnswer>[0]) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
  ]) {
    const result = await ask(api, answer);
    expect(result.ok).toBe(isTaken);
    if (result.ok) continue;
    expect(failureOf(result)).toMatchObject({
      code: 'AnswerTooLarge',
      retryable: false,
      said: 'the answer is larger than the 100000 bytes that are taken of one (max_response_bytes)',
    });
  }
});

test('a stream without end is given up at the limit', async () => {
  const endless: RawAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = `data: ${JSON.stringify(part({ content: 'x'.repeat(1000) }))}\n\n`;
    const write = (): void => {
      while (!response.destroyed && response.write(text));
    };
    response.on('drain', write);
    write();
  };
  expect(failureOf(await ask('chat', endless, true))).toMatchObject({ code: 'AnswerTooLarge', retryable: false });
});

test('what is packed and is not, and a broken chunk, are lost connections', async () => {
  for (const answer of [
    (response: Parameters<RawAnswer>[0]) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('no gzip'),
    (response: Parameters<RawAnswer>[0]) => {
      response.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    },
  ]) {
    expect(failureOf(await ask('chat', answer))).toMatchObject({
      code: 'APIConnectionError',
      retryable: true,
      told: { errno: expect.stringMatching(/^(Z_DATA_ERROR|HPE_INVALID.*)$/) },
    });
  }
});

test.for([
  ['999', 'the service answered with the status 999, which HTTP does not know'],
  ['099', 'Response does not match the HTTP/1.1 protocol'],
])('a status that HTTP does not know is told: %s', async ([status, said]) => {
  const failure = failureOf(await ask('chat', (response) => response.socket?.end(`HTTP/1.1 ${status} Odd\r\n\r\n`)));
  expect(failure).toMatchObject({
    code: 'APIConnectionError',
    retryable: true,
    said: `Connection error. (${said})`,
    told: { host },
  });
});

test('where nobody listens, host and cause are told, and it can be tried again', async () => {
  const away = { base_url: 'http://127.0.0.1:1/v1' };
  const nobody = await openAiService({ name: 'c', type: 'open_ai', configs: away, secrets: { api_key: key } });
  for (const stream of [false, true]) {
    const failure = failureOf(await nobody.call('chat', { ...requests.chat, stream }, { signal }));
    expect(failure).toEqual({
      code: 'APIConnectionError',
      retryable: true,
      said: 'Connection error. (connect ECONNREFUSED 127.0.0.1:1)',
      told: { host: '127.0.0.1:1', errno: 'ECONNREFUSED' },
    });
  }
});

test('a message without anything in it is told', async () => {
  const empty = {
    ...good,
    choices: [{ ...choice, finish_reason: 'length', message: { role: 'assistant', content: '' } }],
  };
  expect(await ask('chat', json(empty))).toMatchObject({
    ok: true,
    reply: { warnings: ['the model answered without text (finish_reason: length)'] },
  });
});

/** As `events`, in bytes, and the connection stays open behind them. */
function left(open: boolean, ...parts: readonly (string | Buffer)[]): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(Buffer.concat(parts.map((one) => Buffer.from(one))));
    if (!open) response.end();
  };
}

const told = (one: object): string => `data: ${JSON.stringify(one)}\n\n`;
const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);

test('an answer whose bytes are no UTF-8 is none, in whatever form it comes', async () => {
  const [before, after] = JSON.stringify(good).split('yes');
  const broken = Buffer.concat([Buffer.from(before ?? ''), shiftJis, Buffer.from(after ?? '')]);
  const whole: RawAnswer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': broken.length }).end(broken);
  const inEvents = left(false, ...start.map(told), 'data: {"choices":[{"delta":{"content":"', shiftJis, '"}}]}\n\n');
  const cutWithin = left(false, ...start.map(told), told(part({}, 'stop')), Buffer.from('日').subarray(0, 2));
  for (const [answer, stream] of [
    [whole, false],
    [inEvents, true],
    [cutWithin, true],
  ] as const) {
    const failure = failureOf(await ask('chat', answer, stream));
    expect(failure).toMatchObject({ code: 'UnusableAnswer', retryable: true, told: { host } });
    expect(failure.said).toBe('the answer holds bytes that are no UTF-8');
  }
});

test('a letter of several bytes that comes in two parts is whole', async () => {
  const bytes = Buffer.from(told(part({ content: '日本' }, 'stop')));
  const at = bytes.indexOf('日') + 1;
  const inParts: RawAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(bytes.subarray(0, at), () => setImmediate(() => response.end(bytes.subarray(at))));
  };
  expect(await ask('chat', inParts, true)).toMatchObject({ ok: true, reply: { body: { content: '日本' } } });
});

test.for([
  ['[DONE]', 'data: [DONE]\n\n'],
  ['finish_reason', told(part({}, 'stop'))],
] as const)('a stream that stays open after %s is over', async ([, end]) => {
  const patience = AbortSignal.timeout(8000);
  server.answerWith(() => left(true, ...start.map(told), end));
  const result = await service.call('chat', { ...requests.chat, stream: true }, { signal: patience });
  expect(patience.aborted).toBe(false);
  expect(result).toMatchObject({ ok: true, reply: { body: { content: 'Half an ' } } });
});

async function startSelfSigned(): Promise<{ readonly url: string } & AsyncDisposable> {
  const secure = createServer(selfSigned(), (_, response) => void response.end('{}'));
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(secure.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void secure.close(() => resolve())),
  };
}

test('a certificate that nobody signed is told with its host, and not tried again', async () => {
  await using signed = await startSelfSigned();
  const away = { base_url: `${signed.url}/v1` };
  const service = await openAiService({ name: 'c', type: 'open_ai', configs: away, secrets: { api_key: key } });
  for (const stream of [false, true]) {
    expect(failureOf(await service.call('chat', { ...requests.chat, stream }, { signal }))).toMatchObject({
      code: 'APIConnectionError',
      retryable: false,
      said: expect.stringContaining('self-signed certificate'),
      told: { host: new URL(signed.url).host, errno: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
  }
});

test('a name that nobody knows is told with its host; tried again where the name may be found later', async () => {
  const away = { base_url: 'http://no-such-host.invalid/v1' };
  const service = await openAiService({ name: 'c', type: 'open_ai', configs: away, secrets: { api_key: key } });
  const failure = failureOf(await service.call('chat', requests.chat, { signal }));
  expect(failure).toMatchObject({
    code: 'APIConnectionError',
    said: expect.stringContaining('getaddrinfo'),
    told: { host: 'no-such-host.invalid:80', errno: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) },
  });
  expect(failure.retryable).toBe(failure.told?.errno === 'EAI_AGAIN');
});

test('of several choices the one of index 0 is taken, wherever it stands', async () => {
  const other = { index: 1, finish_reason: 'length', message: { role: 'assistant', content: 'no' } };
  expect(await ask('chat', json({ ...good, choices: [other, choice] }))).toMatchObject({ reply: { body: message } });
  expect(await ask('chat', json({ ...good, choices: [other] }))).toMatchObject({ reply: { body: other.message } });
  const texts = [
    { index: 1, text: 'no', finish_reason: 'stop' },
    { index: 0, text: 'yes', finish_reason: 'stop' },
  ];
  expect(await ask('completion', json({ ...good, choices: texts }))).toMatchObject({ reply: { body: 'yes' } });
});
