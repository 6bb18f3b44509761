import type { JsonObject, ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type ConverseAnswer, startConverseServer } from '../testing/converse-server.ts';
import { json, type RawAnswer, startRawServer } from '../testing/raw-server.ts';
import { converseService } from './converse-service.ts';

const signal = new AbortController().signal;

async function ask(answer: ConverseAnswer, request: ModelRequest) {
  await using server = await startConverseServer([answer]);
  const service = await converseService({
    name: 'bedrock',
    type: 'amazon_bedrock',
    configs: { region: 'us-east-1', endpoint: server.endpoint },
    secrets: { access_key_id: 'AKIATEST', secret_access_key: 'never-shown', session_token: '' },
  });
  const result = await service.call('chat', { model: 'anthropic.claude-v2:1', ...request }, { signal });
  return { result, sent: server.requests[0] };
}

const hello: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: '<scratchpad> ' },
  ],
  temperature: 0,
  top_p: 1,
  max_tokens: 2048,
  stop: ['</answer>'],
};

test('a chat request: system apart, settings by their names, an opened answer without white space at its end', async () => {
  const { result, sent } = await ask(
    { content: [{ text: 'Hi' }], stopReason: 'stop_sequence', stopSequence: '</answer>' },
    hello,
  );
  expect(sent).toEqual({
    model: 'anthropic.claude-v2:1',
    body: {
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'Hello' }] },
        { role: 'assistant', content: [{ text: '<scratchpad>' }] },
      ],
      inferenceConfig: { temperature: 0, topP: 1, maxTokens: 2048, stopSequences: ['</answer>'] },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
    },
  });
  expect(result).toMatchObject({
    ok: true,
    reply: {
      body: { role: 'assistant', content: 'Hi' },
      whole: { choices: [{ finish_reason: 'stop', stop_reason: '</answer>' }] },
      usage: { promptTokens: 12, completionTokens: 7, totalTokens: 19 },
    },
  });
});

const search = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};

test('tools, calls and their results', async () => {
  const messages = [
    { role: 'user', content: 'q1' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'search', arguments: '{"q":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: 'found' },
  ];
  const answer = {
    content: [{ toolUse: { toolUseId: 't2', name: 'search', input: { q: 'b' } } }],
    stopReason: 'tool_use',
  };
  const { result, sent } = await ask(answer, {
    messages,
    tools: [{ type: 'function', function: search }],
    tool_choice: 'required',
  });
  expect(sent?.body['toolConfig']).toEqual({
    tools: [{ toolSpec: { name: 'search', description: 'Searches.', inputSchema: { json: search.parameters } } }],
    toolChoice: { any: {} },
  });
  expect(sent?.body.messages?.slice(1)).toEqual([
    { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'search', input: { q: 'a' } } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'found' }] } }] },
  ]);
  expect(result.ok && (result.reply.body as JsonObject)['tool_calls']).toEqual([
    { id: 't2', type: 'function', function: { name: 'search', arguments: '{"q":"b"}' } },
  ]);
});

test('functions without ids are paired with their results', async () => {
  const messages = [
    { role: 'user', content: 'q1' },
    { role: 'assistant', content: null, function_call: { name: 'search', arguments: '{"q":"a"}' } },
    { role: 'function', name: 'search', content: 'found' },
  ];
  const answer = { content: [{ text: 'done' }, { toolUse: { toolUseId: 'x', name: 'search', input: {} } }] };
  const { result } = await ask(answer, { messages, functions: [search], function_call: 'auto' });
  expect(result.ok && result.reply.body).toEqual({
    role: 'assistant',
    content: 'done',
    function_call: { name: 'search', arguments: '{}' },
  });
});

test.for([
  { status: 429, type: 'ThrottlingException', retryable: true },
  { status: 503, type: 'ServiceUnavailableException', retryable: true },
  { status: 403, type: 'AccessDeniedException', retryable: false },
])('$type is told as it is, without the key', async ({ status, type, retryable }) => {
  const { result } = await ask({ error: { status, type, message: 'no: never-shown' } }, hello);
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: type,
      message: `no: *** (HTTP ${status})`,
      retryable,
      service: { host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), status },
    },
  });
});

async function askRaw(answer: RawAnswer, configs: Readonly<Record<string, string>> = {}) {
  await using server = await startRawServer();
  server.answerWith(() => answer);
  return await callOf({ endpoint: server.url, ...configs });
}

async function callOf(configs: Readonly<Record<string, string>>) {
  const service = await converseService({
    name: 'bedrock',
    type: 'amazon_bedrock',
    configs: { region: 'us-east-1', ...configs },
    secrets: { access_key_id: 'AKIATEST', secret_access_key: 'never-shown' },
  });
  return await service.call('chat', { model: 'm', ...hello }, { signal });
}

test.for<readonly [number, string, string, boolean, string]>([
  [400, 'text/html', '<p>proxy says no</p>', false, 'the service refused without an error of its API (HTTP 400)'],
  [401, 'application/json', '{"Message":"no: never-shown"}', false, 'no: *** (HTTP 401)'],
  [408, 'application/json', '{"message":"took too long"}', true, 'took too long (HTTP 408)'],
  [502, 'text/plain', 'upstream is gone', true, 'the service refused without an error of its API (HTTP 502)'],
  [500, 'application/json', '[1,2]', true, 'the service refused without an error of its API (HTTP 500)'],
])('%s as %s with the body %s keeps its words', async ([status, type, body, retryable, message]) => {
  const result = await askRaw((response) => response.writeHead(status, { 'content-type': type }).end(body));
  const told = body.replace('never-shown', '***');
  expect(result).toMatchObject({ ok: false, error: { message, retryable, service: { status, said: told } } });
});

test('Retry-After of a refusal is told', async () => {
  const result = await askRaw((response) => response.writeHead(429, { 'retry-after': '7' }).end('{}'));
  expect(result).toMatchObject({ ok: false, error: { retryable: true }, retryAfterMs: 7_000 });
});

const said = { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } } };

test.for([
  ['max_tokens', 'length'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['content_filtered', 'content_filter'],
])('an answer that ended by %s ended by %s', async ([stopReason, reason]) => {
  const result = await askRaw(json({ ...said, stopReason, usage: { inputTokens: 1, outputTokens: 1 } }));
  expect(result).toMatchObject({ ok: true, reply: { whole: { choices: [{ finish_reason: reason }] } } });
});

test('tokens read from the cache and written to it are tokens of the prompt, and told apart', async () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    cacheReadInputTokens: 100,
    cacheWriteInputTokens: 20,
    totalTokens: 135,
  };
  expect(await askRaw(json({ ...said, usage }))).toMatchObject({
    ok: true,
    reply: {
      usage: {
        promptTokens: 130,
        completionTokens: 5,
        totalTokens: 135,
        details: { cachedTokens: 100, cacheWriteTokens: 20 },
      },
    },
  });
});

test.for([20.5, '20', true, 1e300, { a: 1 }, undefined])(
  'tokens that are %j are left out and told',
  async (inputTokens) => {
    const result = await askRaw(json({ ...said, usage: { inputTokens, outputTokens: 5 } }));
    expect(result).toMatchObject({
      ok: true,
      reply: { body: { content: 'Hi' }, warnings: [expect.stringContaining('the service told usage.inputTokens as')] },
    });
    expect(result).not.toHaveProperty('reply.usage');
  },
);

test.for<readonly [string, RawAnswer]>([
  ['nothing', json({})],
  ['no message', json({ output: { message: null } })],
  ['a text that is none', json({ output: { message: { content: [{ text: 5 }] } } })],
  ['no JSON', json('<p>gateway</p>')],
  ['half of it', json('{"output":{"mess')],
])('%s in the place of an answer can be tried again', async ([, answer]) => {
  expect(await askRaw(answer)).toMatchObject({ ok: false, error: { code: 'UnusableAnswer', retryable: true } });
});

test('an answer that is larger than what is taken, and a server that is not there', async () => {
  expect(await askRaw(json({ ...said, pad: 'x'.repeat(2000) }), { max_response_bytes: '1000' })).toMatchObject({
    ok: false,
    error: { code: 'AnswerTooLarge', retryable: false },
  });
  expect(await callOf({ endpoint: 'http://127.0.0.1:1' })).toMatchObject({
    ok: false,
    error: {
      message: 'connect ECONNREFUSED 127.0.0.1:1',
      retryable: true,
      service: { host: '127.0.0.1:1', errno: 'ECONNREFUSED' },
    },
  });
});

test.for([
  ['exactly as large as what is taken', 1000, true],
  ['one byte larger', 1001, false],
] as const)('an answer that is %s, announced and not', async ([, size, isTaken]) => {
  const empty = JSON.stringify({ ...said, pad: '' }).length;
  const body = JSON.stringify({ ...said, pad: 'x'.repeat(size - empty) });
  const inParts: RawAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(body.slice(0, 10));
    response.end(body.slice(10));
  };
  for (const answer of [json(body), inParts]) {
    const result = await askRaw(answer, { max_response_bytes: '1000' });
    expect(result.ok).toBe(isTaken);
    if (!result.ok) expect(result.error.message).toMatch(/^the answer .* than 1000 bytes \(max_response_bytes\)$/);
  }
});

test('an answer with bytes that are no UTF-8 is told as that, and can be tried again', async () => {
  const text = JSON.stringify({ output: { message: { role: 'assistant', content: [{ text: 'caf\u00e9' }] } } });
  const answer: RawAnswer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from(text, 'latin1'));
  expect(await askRaw(answer)).toMatchObject({
    ok: false,
    error: { code: 'UnusableAnswer', message: 'the answer holds bytes that are no UTF-8', retryable: true },
  });
});

test('pictures go as bytes', async () => {
  const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'auto' } });
  const content = [
    { type: 'text', text: 'Which is it?' },
    image('data:image/png;base64,iVBORw=='),
    image('data:image/webp;base64,UklG'),
  ];
  const { sent } = await ask(
    { content: [{ text: 'a' }], stopReason: 'end_turn' },
    { messages: [{ role: 'user', content }] },
  );
  expect(sent?.body).toMatchObject({
    messages: [
      {
        role: 'user',
        content: [
          { text: 'Which is it?' },
          { image: { format: 'png', source: { bytes: 'iVBORw==' } } },
          { image: { format: 'webp', source: { bytes: 'UklG' } } },
        ],
      },
    ],
  });
});

test.for([
  [
    'https://pictures.example/a.png',
    'Amazon Bedrock takes the bytes of a picture and not its address: give the file, or base64',
  ],
  ['data:image/bmp;base64,Qk0=', 'Amazon Bedrock takes pictures that are png, jpeg, gif or webp, not image/bmp'],
  [undefined, 'a part of a message is of type input_audio: texts and images are taken'],
] as const)('a picture that cannot be sent is no question without it: %s', async ([url, message]) => {
  const part = url === undefined ? { type: 'input_audio' } : { type: 'image_url', image_url: { url } };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, part] }];
  const { result, sent } = await ask({ content: [{ text: 'a cat' }], stopReason: 'end_turn' }, { messages });
  expect(result).toEqual({ ok: false, error: { code: 'UnsupportedRequest', message, retryable: false } });
  expect(sent).toBeUndefined();
});

test.for(['system', 'assistant', 'tool'])('a picture in a message of the role %s is told', async (role) => {
  const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }];
  const messages = [
    { role, content },
    { role: 'user', content: 'What is it?' },
  ];
  const { result } = await ask({ content: [{ text: 'a cat' }], stopReason: 'end_turn' }, { messages });
  const message = `a message of the role ${role} holds a picture: those of the user alone may hold one`;
  expect(result).toMatchObject({ ok: false, error: { code: 'UnsupportedRequest', message } });
});

const asked = { messages: [{ role: 'user', content: 'Hello' }] };
const hi: ConverseAnswer = { content: [{ text: 'Hi' }], stopReason: 'end_turn' };

test.for<[settings: JsonObject, message: string]>([
  [{ n: 3 }, 'n: one answer a call is given; let the node run several times'],
  [{ logprobs: true }, 'logprobs: use a connection of another type'],
  [
    { response_format: { type: 'json_object' } },
    'response_format: say in the prompt that the answer is JSON, or offer a tool with its schema',
  ],
])('what would make another answer is no call: %j', async ([settings, message]) => {
  const { result, sent } = await ask(hi, { ...asked, ...settings });
  const told = `Amazon Bedrock's Converse API knows no ${message}`;
  expect(result).toEqual({ ok: false, error: { code: 'UnsupportedRequest', message: told, retryable: false } });
  expect(sent).toBeUndefined();
});

test('what is left out is told with the answer, and what asks for nothing is not', async () => {
  const { result } = await ask(hi, { ...asked, seed: 7, presence_penalty: 0.5, user: 'me' });
  expect(result).toMatchObject({
    ok: true,
    reply: {
      warnings: [
        'seed is not sent: answers differ from call to call',
        'presence_penalty is not sent: say in the prompt what the answer should not repeat',
        'user is not sent: leave it out',
      ],
    },
  });
  const nothing = { n: 1, presence_penalty: 0, frequency_penalty: '0.0', logprobs: false, stop: [], user: '' };
  const { result: plain } = await ask(hi, {
    ...asked,
    ...nothing,
    ...{ response_format: { type: 'text' }, logit_bias: {}, seed: null, parallel_tool_calls: true },
  });
  expect(plain.ok && plain.reply.warnings).toBeUndefined();
});

test('a conversation of every kind of message: who said what, calls with their results, and nothing that is blank', async () => {
  const { sent } = await ask(hi, {
    messages: [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      { role: 'developer', content: 'Search first.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: ' ', function_call: { name: 'find', arguments: '{"q":"a"}' } },
      { role: 'function', name: 'find', content: 'found a' },
      { role: 'assistant', content: null, function_call: { name: 'find', arguments: 'not json' } },
      { role: 'function', name: 'find', content: { hits: 2 } },
      { role: 'assistant', content: 'Both ', tool_calls: [{ id: 't1', function: { name: 'add', arguments: '[1]' } }] },
      {
        role: 'tool',
        tool_call_id: 't1',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ],
    max_completion_tokens: 5,
    stop: '.',
    tools: [{ type: 'function', function: { name: 'add', description: '', parameters: { type: 'object' } } }],
    functions: [{ name: 'find', description: 'Finds.' }],
    tool_choice: { type: 'function', function: { name: 'add' } },
  });
  const result = (toolUseId: string, text: string) => ({ toolResult: { toolUseId, content: [{ text }] } });
  const use = (toolUseId: string, name: string, input: object) => ({ toolUse: { toolUseId, name, input } });
  expect(sent?.body).toEqual({
    system: [{ text: 'Be brief.\nBe kind.' }, { text: 'Search first.' }],
    messages: [
      { role: 'user', content: [{ text: 'Hello' }, { text: 'Are you there?' }] },
      { role: 'assistant', content: [use('call_1', 'find', { q: 'a' })] },
      { role: 'user', content: [result('call_1', 'found a')] },
      { role: 'assistant', content: [use('call_2', 'find', { unreadable: 'not json' })] },
      { role: 'user', content: [result('call_2', '{"hits":2}')] },
      { role: 'assistant', content: [{ text: 'Both ' }, use('t1', 'add', { value: [1] })] },
      { role: 'user', content: [result('t1', 'one\ntwo')] },
    ],
    inferenceConfig: { maxTokens: 5, stopSequences: ['.'] },
    toolConfig: {
      tools: [
        { toolSpec: { name: 'add', inputSchema: { json: { type: 'object' } } } },
        {
          toolSpec: { name: 'find', description: 'Finds.', inputSchema: { json: { type: 'object', properties: {} } } },
        },
      ],
      toolChoice: { tool: { name: 'add' } },
    },
    additionalModelResponseFieldPaths: ['/stop_sequence'],
  });
});

test.for([{ tool_choice: 'none' }, { function_call: 'none' }])('no tool is offered with %j', async (choice) => {
  const offered = { tools: [{ type: 'function', function: { name: 'add' } }], functions: [{ name: 'find' }] };
  const { sent } = await ask(hi, { ...asked, ...offered, ...choice });
  expect(sent?.body).not.toHaveProperty('toolConfig');
});
