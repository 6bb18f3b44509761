import type { Connection, JsonObject, ModelRequest, ModelResult } from '@unroll/engine';
import { events, json, type ServerReply, startOpenAiServer, startRawServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { openAiService } from './openai-service.ts';

const raw = await startRawServer();
afterAll(() => raw[Symbol.asyncDispose]());
const key = 'sk-secret-of-the-connection';
const signal = new AbortController().signal;

function openAi(url: string): Connection {
  return { name: 'c', type: 'open_ai', configs: { base_url: `${url}/v1` }, secrets: { api_key: key } };
}

const user = { role: 'user', content: 'Is it?' };
const find = { name: 'find', description: 'Finds.', parameters: { type: 'object', properties: {} } };
const called = { id: 'call_a', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } };
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };
const png = 'data:image/png;base64,iVBORw0KGgo=';

async function ask(
  reply: ServerReply,
  request: ModelRequest,
  pieces?: string[],
): Promise<{ readonly result: ModelResult; readonly sent: JsonObject }> {
  await using server = await startOpenAiServer([reply]);
  const service = await openAiService(openAi(server.url));
  const onText = pieces === undefined ? {} : { onText: (text: string) => void pieces.push(text) };
  const result = await service.call(
    'responses',
    { model: 'gpt-4.1', messages: [user], ...request },
    { signal, ...onText },
  );
  return { result, sent: (server.requests[0]?.body ?? {}) as JsonObject };
}

/** What stands in the request beside the model, and what is always there. */
async function sentFor(request: ModelRequest): Promise<JsonObject> {
  const { result, sent } = await ask({ message: { content: 'Yes.' } }, request);
  expect(result).toMatchObject({ ok: true });
  const { model: _model, ...rest } = sent;
  return rest;
}

const input = [user];
const plain = { input, store: false };
const tool = { type: 'function', ...find, strict: false };
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
const sentBodies: readonly (readonly [string, ModelRequest, JsonObject])[] = [
  ['nothing else', {}, plain],
  ['a limit', { max_tokens: 20 }, { ...plain, max_output_tokens: 20 }],
  ['the newer limit', { max_tokens: 1, max_completion_tokens: 20 }, { ...plain, max_output_tokens: 20 }],
  ['its own limit', { max_completion_tokens: 1, max_output_tokens: 20 }, { ...plain, max_output_tokens: 20 }],
  ['sampling', { temperature: 0.5, top_p: 0.9 }, { ...plain, temperature: 0.5, top_p: 0.9 }],
  [
    'tools',
    { tools: [{ type: 'function', function: find }], tool_choice: 'auto' },
    { ...plain, tools: [tool], tool_choice: 'auto' },
  ],
  [
    'a strict tool that must be called',
    {
      tools: [{ type: 'function', function: { ...find, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'find' } },
    },
    { ...plain, tools: [{ ...tool, strict: true }], tool_choice: { type: 'function', name: 'find' } },
  ],
  [
    'functions',
    { functions: [find], function_call: { name: 'find' } },
    { ...plain, tools: [tool], tool_choice: { type: 'function', name: 'find' } },
  ],
  [
    'a tool of the service',
    { tools: [{ type: 'web_search' }], tool_choice: null },
    { ...plain, tools: [{ type: 'web_search' }] },
  ],
  ['JSON', { response_format: { type: 'json_object' } }, { ...plain, text: { format: { type: 'json_object' } } }],
  [
    'a schema, and how many words',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } }, verbosity: 'low' },
    { ...plain, text: { format: { type: 'json_schema', name: 'a', schema, strict: true }, verbosity: 'low' } },
  ],
  [
    'logprobs',
    { logprobs: true, top_logprobs: 2 },
    { ...plain, top_logprobs: 2, include: ['message.output_text.logprobs'] },
  ],
  [
    'thinking',
    { model: 'o3', reasoning_effort: 'low', reasoning: { summary: 'auto' } },
    { ...plain, reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
  ],
  ['a model that thinks', { model: 'gpt-5.1-mini' }, { ...plain, include: ['reasoning.encrypted_content'] }],
  ['a model that thinks and keeps', { model: 'gpt-5', store: true }, { input, store: true }],
  ['no thoughts', { model: 'gpt-5', include: [] }, plain],
  [
    'an earlier response',
    { store: true, previous_response_id: 'resp_0' },
    { input, store: true, previous_response_id: 'resp_0' },
  ],
];

test.for(sentBodies)('a request with %s', async ([, request, body]) => {
  expect(await sentFor(request)).toEqual(body);
});

const conversations: readonly (readonly [string, readonly JsonObject[], readonly JsonObject[]])[] = [
  [
    'roles',
    [
      { role: 'system', content: 'S' },
      { role: 'developer', content: 'D' },
      user,
      { role: 'assistant', content: 'A' },
      user,
    ],
    [
      { role: 'system', content: 'S' },
      { role: 'developer', content: 'D' },
      user,
      { role: 'assistant', content: 'A' },
      user,
    ],
  ],
  [
    'a picture',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: png } },
        ],
      },
    ],
    [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: png, detail: 'auto' },
        ],
      },
    ],
  ],
  [
    'tool calls with what was thought before them',
    [
      user,
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { ...called, reasoning: [thought] },
          { ...called, id: 'call_b' },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'one' },
      { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: 'two' }] },
    ],
    [
      user,
      { role: 'assistant', content: 'Looking.' },
      thought,
      { type: 'function_call', call_id: 'call_a', name: 'find', arguments: '{"q":"x"}' },
      { type: 'function_call', call_id: 'call_b', name: 'find', arguments: '{"q":"x"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'one' },
      { type: 'function_call_output', call_id: 'call_b', output: [{ type: 'input_text', text: 'two' }] },
    ],
  ],
  [
    'function calls of the older form',
    [
      user,
      { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } },
      { role: 'function', name: 'find', content: 'one' },
      { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } },
      { role: 'function', name: 'find', content: 'two' },
    ],
    [
      user,
      { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one' },
      { type: 'function_call', call_id: 'call_2', name: 'find', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_2', output: 'two' },
    ],
  ],
  [
    'a refusal',
    [user, { role: 'assistant', content: null, refusal: 'No.' }, user],
    [user, { role: 'assistant', content: 'No.' }, user],
  ],
];

test.for(conversations)('messages with %s', async ([, messages, items]) => {
  expect((await sentFor({ messages }))['input']).toEqual(items);
});

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 80, cache_write_tokens: 5 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 30 },
  total_tokens: 150,
};
const tools = [{ type: 'function', function: find }];
const answers: readonly (readonly [string, ServerReply, ModelRequest, JsonObject, string])[] = [
  ['a text', { message: { content: 'Yes.' } }, {}, { role: 'assistant', content: 'Yes.', refusal: null }, 'stop'],
  ['a refusal', { message: { refusal: 'No.' } }, {}, { role: 'assistant', content: null, refusal: 'No.' }, 'stop'],
  [
    'half a text',
    { message: { content: 'Ye' }, finishReason: 'length' },
    {},
    { role: 'assistant', content: 'Ye', refusal: null },
    'length',
  ],
  [
    'what the filter left',
    { message: { content: 'Y' }, finishReason: 'content_filter' },
    {},
    { role: 'assistant', content: 'Y', refusal: null },
    'content_filter',
  ],
  [
    'a thought, a text and a call',
    { message: { content: 'Hm.', tool_calls: [called] }, reasoning: 'gAAAA' },
    { model: 'o3', tools },
    { role: 'assistant', content: 'Hm.', refusal: null, reasoning: [thought], tool_calls: [called] },
    'tool_calls',
  ],
  [
    'a call right behind a thought',
    { message: { tool_calls: [called, { ...called, id: 'call_b' }] }, reasoning: 'gAAAA' },
    { model: 'o3', tools },
    {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [
        { ...called, reasoning: [thought] },
        { ...called, id: 'call_b' },
      ],
    },
    'tool_calls',
  ],
  [
    'a function call',
    { message: { tool_calls: [called] } },
    { functions: [find] },
    { role: 'assistant', content: null, refusal: null, function_call: called.function },
    'function_call',
  ],
];

test.for(answers)('an answer with %s, whole and in a stream', async ([, reply, request, body, reason]) => {
  const told = { ...reply, usage };
  const { result } = await ask(told, request);
  const counted = {
    promptTokens: 100,
    completionTokens: 50,
    totalTokens: 150,
    details: { cachedTokens: 80, cacheWriteTokens: 5, reasoningTokens: 30 },
  };
  expect(result).toMatchObject({
    ok: true,
    reply: { usage: counted, whole: { choices: [{ finish_reason: reason }] } },
  });
  if (!result.ok) throw new Error('bug: it was answered');
  expect(result.reply.body).toEqual(body);
  const cut = { length: 'at its limit of tokens', content_filter: "by the service's filter" }[reason];
  expect(result.reply.warnings ?? []).toEqual(cut === undefined ? [] : [expect.stringContaining(cut)]);
  const pieces: string[] = [];
  const streamed = await ask(told, request, pieces);
  expect(streamed.sent['stream']).toBe(true);
  expect(streamed.result).toEqual(result);
  expect(pieces.join('')).toBe(body['content'] ?? '');
});

test('an answer that ends before a word of it is told as such', async () => {
  const { result } = await ask({ message: {}, finishReason: 'length' }, {});
  expect(result).toMatchObject({
    ok: true,
    reply: { warnings: ['the model answered without text (finish_reason: length)'] },
  });
});

test('Azure OpenAI is asked at its v1 path, with its key and without a version', async () => {
  await using server = await startOpenAiServer([{ message: { content: 'Yes.' } }]);
  const configs = { api_base: `${server.url}/`, api_version: '2024-02-01' };
  const service = await openAiService({ name: 'c', type: 'azure_open_ai', configs, secrets: { api_key: key } });
  expect(await service.call('responses', { model: 'mine', messages: [user] }, { signal })).toMatchObject({ ok: true });
  const [request] = server.requests;
  expect(request?.path).toBe('/openai/v1/responses');
  expect([request?.headers['api-key'], request?.headers['authorization']]).toEqual([key, undefined]);
});

async function failureOf(answer: Parameters<typeof raw.answerWith>[0], isStream = false) {
  raw.answerWith(answer);
  const service = await openAiService(openAi(raw.url));
  const onText = isStream ? { onText: () => {} } : {};
  const result = await service.call('responses', { model: 'm', messages: [user] }, { signal, ...onText });
  if (result.ok) throw new Error(`was answered: ${JSON.stringify(result.reply)}`);
  const { code, retryable, message } = result.error;
  return [code, retryable, message.replace(/ \[Error reference: .*\]$/, '')];
}

const failed = (code: string) => ({ status: 'failed', error: { code, message: 'No luck.' }, output: [] });

test.for([
  ['server_error', true],
  ['rate_limit_exceeded', true],
  ['invalid_prompt', false],
] as const)('a response that failed with %s', async ([code, retryable]) => {
  const words = `OpenAI API hits APIError: the service answered with an error (${code}): No luck.`;
  expect(await failureOf(() => json(failed(code)))).toEqual(['APIError', retryable, words]);
  const ending = { type: 'response.failed', response: failed(code) };
  expect(await failureOf(() => events([ending]), true)).toEqual(['APIError', retryable, words]);
});

const delta = { type: 'response.output_text.delta', delta: 'Ye' };
test.for([
  ['no items', json({ status: 'completed' }), false, 'the answer cannot be used: output'],
  [
    'a text that is none',
    json({ output: [{ type: 'message', content: [{ type: 'output_text' }] }] }),
    false,
    'output[0]',
  ],
  ['a call without a name', json({ output: [{ type: 'function_call', call_id: 'a' }] }), false, 'output[0]'],
  ['an answer that is still to come', json({ status: 'queued', output: [] }), false, 'a response that is queued'],
  ['a stream that breaks off', events([delta], true), true, ''],
  ['a stream without its end', events([delta]), true, 'the stream ended before the response was complete'],
  ['an event that is none', events([7]), true, 'an event of the stream cannot be used'],
] as const)('%s is no answer, and asked for again', async ([, answer, isStream, words]) => {
  const [, retryable, message] = await failureOf(() => answer, isStream);
  expect(retryable).toBe(true);
  expect(message).toContain(words);
});

test("an error in the middle of a stream is the service's own", async () => {
  const error = { type: 'error', code: 'server_error', message: 'Overloaded.', param: null };
  const answer = (response: Parameters<ReturnType<typeof json>>[0]): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
  };
  const [code, retryable, message] = await failureOf(() => answer, true);
  expect([code, retryable]).toEqual(['APIError', true]);
  expect(message).toContain('Overloaded.');
});

test.for([
  [
    'a call without its result',
    { messages: [user, { role: 'assistant', content: null, tool_calls: [called] }] },
    'No tool output found',
  ],
  ['a parameter it does not have', { stop: ['x'] }, "Unknown parameter: 'stop'"],
  ['a limit that is too low', { max_tokens: 5 }, 'max_output_tokens'],
] as const)('the service refuses %s', async ([, request, words]) => {
  const { result } = await ask({ message: { content: 'Yes.' } }, request as unknown as ModelRequest);
  expect(result).toMatchObject({ ok: false, error: { code: 'BadRequestError', retryable: false } });
  expect(JSON.stringify(result)).toContain(words);
});
