import type { Connection, JsonObject, ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type AnthropicAnswer, startAnthropicServer } from '../testing/anthropic-server.ts';
import { providerService } from './provider-service.ts';

const { signal } = new AbortController();
const folder = import.meta.dirname;

function anthropic(url: string, configs: Readonly<Record<string, string>> = {}): Connection {
  return {
    name: 'claude',
    type: 'anthropic',
    configs: { base_url: url, ...configs },
    secrets: { api_key: 'never-shown-1' },
  };
}

/** The two lines of versions of one provider: what is asked and answered is the same. */
const lines = [
  ['v4', {}],
  ['v3', { package: '@ai-sdk/anthropic-v3' }],
] as const;

async function ask(
  answer: AnthropicAnswer,
  request: ModelRequest,
  configs: Readonly<Record<string, string>> = {},
  onText?: (text: string) => void,
) {
  await using server = await startAnthropicServer(answer);
  const service = await providerService(anthropic(server.url, configs), [folder]);
  const call = { signal, ...(onText === undefined ? {} : { onText }) };
  const result = await service.call('chat', { model: 'claude-sonnet-4-5', ...request }, call);
  return { result, sent: server.requests[0] };
}

const hello: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ],
  temperature: 0,
  max_tokens: 100,
  stop: ['END'],
};

test.for(lines)('%s: a chat request and its answer', async ([, configs]) => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 7 };
  const { result, sent } = await ask({ content: [{ type: 'text', text: 'Hi' }], usage }, hello, configs);
  expect(sent?.body).toEqual({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    temperature: 0,
    stop_sequences: ['END'],
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  });
  expect(sent?.headers).toMatchObject({ 'x-api-key': 'never-shown-1', 'anthropic-version': '2023-06-01' });
  const message = { role: 'assistant', content: 'Hi' };
  expect(result).toEqual({
    ok: true,
    reply: {
      body: message,
      whole: {
        id: 'msg_1',
        model: 'claude-sonnet-4-5',
        choices: [{ index: 0, finish_reason: 'stop', stop_reason: null, message }],
      },
      usage: {
        promptTokens: 130,
        completionTokens: 7,
        totalTokens: 137,
        details: { cachedTokens: 100, cacheWriteTokens: 20 },
      },
    },
  });
});

const search = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};
const asked: readonly JsonObject[] = [
  { role: 'user', content: 'q1' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 't1', type: 'function', function: { name: 'search', arguments: '{"q":"a"}' } },
      { id: 't2', type: 'function', function: { name: 'search', arguments: 'no JSON' } },
    ],
  },
  { role: 'tool', tool_call_id: 't1', content: 'found' },
  { role: 'tool', tool_call_id: 't2', content: 'not found' },
];

test.for(lines)('%s: tools, calls and their results', async ([, configs]) => {
  const { result, sent } = await ask(
    { content: [{ type: 'tool_use', id: 't3', name: 'search', input: { q: 'b' } }], stopReason: 'tool_use' },
    { messages: asked, tools: [{ type: 'function', function: search }], tool_choice: 'required', max_tokens: 50 },
    configs,
  );
  expect(sent?.body).toMatchObject({
    tools: [{ name: 'search', description: 'Searches.', input_schema: search.parameters }],
    tool_choice: { type: 'any' },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'q1' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 't1', name: 'search', input: { q: 'a' } },
          { type: 'tool_use', id: 't2', name: 'search', input: { unreadable: 'no JSON' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'found' },
          { type: 'tool_result', tool_use_id: 't2', content: 'not found' },
        ],
      },
    ],
  });
  expect(result).toMatchObject({
    ok: true,
    reply: {
      body: {
        content: null,
        tool_calls: [{ id: 't3', type: 'function', function: { name: 'search', arguments: '{"q":"b"}' } }],
      },
      whole: { choices: [{ finish_reason: 'tool_calls' }] },
    },
  });
});

test('functions are tools without ids, and come back as a function_call', async () => {
  const messages = [
    { role: 'user', content: 'q1' },
    { role: 'assistant', content: null, function_call: { name: 'search', arguments: '{"q":"a"}' } },
    { role: 'function', name: 'search', content: 'found' },
  ];
  const content = [
    { type: 'text', text: 'Once more.' },
    { type: 'tool_use', id: 'x', name: 'search', input: {} },
  ];
  const { result, sent } = await ask(
    { content, stopReason: 'tool_use' },
    { messages, functions: [search], function_call: { name: 'search' }, max_tokens: 50 },
  );
  expect(sent?.body).toMatchObject({ tools: [{ name: 'search' }], tool_choice: { type: 'tool', name: 'search' } });
  expect(result.ok && result.reply.body).toEqual({
    role: 'assistant',
    content: 'Once more.',
    function_call: { name: 'search', arguments: '{}' },
  });
});

test.for(lines)('%s: a streamed answer is told in pieces and is the same as a whole one', async ([, configs]) => {
  const answer: AnthropicAnswer = {
    content: [
      { type: 'text', text: 'Let me look that up.' },
      { type: 'tool_use', id: 't1', name: 'search', input: { q: 'refunds' } },
    ],
    stopReason: 'tool_use',
  };
  const request = { messages: [{ role: 'user', content: 'q' }], tools: [{ function: search }], max_tokens: 50 };
  const pieces: string[] = [];
  const streamed = await ask(answer, request, configs, (text) => pieces.push(text));
  const whole = await ask(answer, request, configs);
  expect(streamed.sent?.body['stream']).toBe(true);
  expect(pieces).toEqual(['Let ', 'me l', 'ook ', 'that', ' up.']);
  expect(streamed.result).toEqual(whole.result);
});

test('what a model thought goes back to it with the results of its tools', async () => {
  const thinking = { type: 'thinking', thinking: 'I should search.', signature: 'c2ln' };
  const call = { type: 'tool_use', id: 't1', name: 'search', input: { q: 'a' } };
  const request = {
    messages: [{ role: 'user', content: 'q1' }],
    tools: [{ type: 'function', function: search }],
    max_tokens: 5000,
    provider_options: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  };
  const first = await ask({ content: [thinking, call], stopReason: 'tool_use' }, request);
  expect(first.sent?.body['thinking']).toMatchObject({ type: 'enabled', budget_tokens: 1024 });
  const message = (first.result.ok ? first.result.reply.body : {}) as JsonObject;
  expect(message['reasoning']).toEqual([
    { text: 'I should search.', provider_options: { anthropic: { signature: 'c2ln' } } },
  ]);
  const messages = [...request.messages, message, { role: 'tool', tool_call_id: 't1', content: 'found' }];
  const second = await ask({ content: [{ type: 'text', text: 'done' }] }, { ...request, messages });
  expect(second.result).toMatchObject({ ok: true, reply: { body: { content: 'done' } } });
  expect(second.sent?.body).toMatchObject({ messages: [{}, { role: 'assistant', content: [thinking, call] }, {}] });
});

test('what a prompt is cached by stands in provider_options of its messages, parts and tools', async () => {
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const { sent } = await ask(
    { content: [{ type: 'text', text: 'Hi' }] },
    {
      messages: [
        { role: 'system', content: 'Long.', provider_options: cached },
        { role: 'user', content: [{ type: 'text', text: 'Hello', provider_options: cached }] },
      ],
      tools: [{ type: 'function', function: search, provider_options: cached }],
      max_tokens: 50,
    },
  );
  const cacheControl = { cache_control: { type: 'ephemeral' } };
  expect(sent?.body).toMatchObject({
    system: [{ text: 'Long.', ...cacheControl }],
    messages: [{ content: [{ text: 'Hello', ...cacheControl }] }],
    tools: [{ name: 'search', ...cacheControl }],
  });
});

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test.for(lines)('%s: images, by their bytes and by their address', async ([, configs]) => {
  const image = (url: string): JsonObject => ({ type: 'image_url', image_url: { url, detail: 'auto' } });
  const content = [
    { type: 'text', text: 'What is this?' },
    image(`data:image/png;base64,${pixel}`),
    image('https://example.com/cat.png'),
  ];
  const { sent } = await ask(
    { content: [{ type: 'text', text: 'A cat' }] },
    { messages: [{ role: 'user', content }], max_tokens: 50 },
    configs,
  );
  expect(sent?.body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
      ],
    },
  ]);
});

test('an answer in the form of a schema', async () => {
  const schema = {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  };
  const { result, sent } = await ask(
    { content: [{ type: 'text', text: '{"colour":"red"}' }] },
    {
      messages: [{ role: 'user', content: 'A colour?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'colour', strict: true, schema } },
      max_tokens: 50,
    },
  );
  expect(sent?.body['output_config']).toEqual({ format: { type: 'json_schema', schema } });
  expect(result).toMatchObject({ ok: true, reply: { body: { content: '{"colour":"red"}' } } });
});

test.for<readonly [string, ModelRequest, string]>([
  ['top_p', { temperature: 0.5, top_p: 0.9 }, 'the provider does not take top_p: topP is not supported when'],
  ['seed', { seed: 7 }, 'the provider does not take seed'],
  ['penalties', { frequency_penalty: 1 }, 'the provider does not take frequency_penalty'],
  ['json_object', { response_format: { type: 'json_object' } }, 'the provider does not take response_format: JSON'],
  ['user', { user: 'u1' }, 'user is not sent: provider_options may hold it'],
  ['one call at a time', { parallel_tool_calls: false }, 'parallel_tool_calls is not sent: provider_options may'],
])('%s that is not honoured is told with the answer', async ([, request, warning]) => {
  const { result } = await ask({ content: [{ type: 'text', text: 'Hi' }] }, { ...hello, ...request });
  expect(result).toMatchObject({ ok: true, reply: { warnings: [expect.stringContaining(warning)] } });
});

test.for<readonly [ModelRequest, string]>([
  [{ n: 3 }, 'the AI SDK knows no n: one answer a call is given'],
  [{ logprobs: true }, 'the AI SDK knows no logprobs: use a connection of type open_ai or azure_open_ai'],
  [
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    'a part of a message is of type input_audio: texts and images are taken',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'cat.png' } }] }] },
    'an image is neither base64 data nor an address',
  ],
  ...(['system', 'assistant', 'tool'] as const).map((role): [ModelRequest, string] => [
    { messages: [{ role, content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }] }] },
    `a message of the role ${role} holds a picture: those of the user alone may hold one`,
  ]),
])('%j cannot be asked, and is not', async ([request, message]) => {
  const { result, sent } = await ask({}, { ...hello, ...request });
  expect(result).toMatchObject({ ok: false, error: { code: 'UnsupportedRequest', retryable: false } });
  expect(!result.ok && result.error.message).toContain(message);
  expect(sent).toBeUndefined();
});

test.for<readonly [string, string]>([
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
])('an answer that ended by %s ended by %s', async ([stopReason, reason]) => {
  const { result } = await ask({ content: [{ type: 'text', text: 'Hi' }], stopReason }, hello);
  expect(result).toMatchObject({ ok: true, reply: { whole: { choices: [{ finish_reason: reason }] } } });
  const isCut = reason === 'length' || reason === 'content_filter';
  expect(result.ok && (result.reply.warnings ?? []).join().includes('the answer was cut off')).toBe(isCut);
});

test('a refusal without a word is told as one', async () => {
  const { result } = await ask({ content: [], stopReason: 'refusal' }, hello);
  expect(result).toMatchObject({
    ok: true,
    reply: {
      body: { content: '', refusal: 'the model gave no answer (refusal)' },
      warnings: ['the model answered without text (finish_reason: content_filter)'],
    },
  });
});
