import type { ModelRequest } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { events, json, type RawAnswer, startRawServer } from '../testing/raw-server.ts';
import { providerService } from './provider-service.ts';

const server = await startRawServer();
afterAll(() => server[Symbol.asyncDispose]());
const { signal } = new AbortController();
const request: ModelRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  max_tokens: 9,
  tools: [{ type: 'function', function: { name: 'search', parameters: { type: 'object', properties: {} } } }],
};

async function ask(type: string, answer: RawAnswer, isStream = false) {
  server.answerWith(() => answer);
  const configs = { base_url: `${server.url}/v1` };
  const connection = { name: 'c', type, configs, secrets: { api_key: 'never-shown-1' } };
  const service = await providerService(connection, [import.meta.dirname]);
  return await service.call('chat', request, { signal, ...(isStream ? { onText: () => undefined } : {}) });
}

const claude = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [{ type: 'text', text: 'Hi' }] };
const usage = { input_tokens: 10, output_tokens: 5 };
const gemini = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] };
const chat = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const whole = { object: 'error', message: 'full of never-shown-1', type: 'capacity', code: '3505' };
const quota = { error: { code: 429, message: 'quota of never-shown-1', status: 'RESOURCE_EXHAUSTED' } };
test.for<readonly [string, string, RawAnswer, string, string]>([
  ['an error', 'google', json(quota), 'APIError', 'the service answered with an error (429): quota of ***'],
  ['an error', 'anthropic', json(quota), 'APIError', 'the service answered with an error (429): quota of ***'],
  ['no candidate', 'google', json({ candidates: [] }), 'UnusableAnswer', 'the answer is empty and tells no reason'],
  ['{}', 'google', json({}), 'UnusableAnswer', 'the answer is empty and tells no reason'],
  ['an error', 'mistral', json(whole), 'APIError', 'the service answered with an error (3505, capacity): full of ***'],
  [
    'no choice',
    'mistral',
    json({ ...chat, choices: [] }),
    'UnusableAnswer',
    "the answer cannot be used: the provider's package says \"Cannot read properties of undefined (reading 'message')\"",
  ],
  [
    'a text as count of tokens',
    'anthropic',
    json({ ...claude, usage: { input_tokens: '10', output_tokens: 5 } }),
    'UnusableAnswer',
    'the answer cannot be used: usage.input_tokens: expected number, received string',
  ],
])('%s in the place of an answer of %s can be tried again, and is told', async ([, type, answer, code, message]) => {
  expect(await ask(type, answer)).toMatchObject({ ok: false, error: { code, message, retryable: true } });
});

test('a call nested 20,000 levels deep comes whole as text, or is told where the provider cannot read it (before Node 26)', async () => {
  const input = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const call = '{"type":"tool_use","id":"t","name":"search","input":';
  const answer = JSON.stringify({ ...claude, content: ['CALL'], usage }).replace('"CALL"', `${call}${input}}`);
  const result = await ask('anthropic', json(answer));
  if (result.ok) expect(result.reply.body).toMatchObject({ tool_calls: [{ function: { arguments: input } }] });
  else
    expect(result.error).toMatchObject({
      message: 'the answer cannot be used: it is nested too deep',
      retryable: true,
    });
});

test.for([
  ['google', '{"error":{"message":"no model of never-shown-1"}}', 'no model of *** (HTTP 404)'],
  ['anthropic', '{"error":{"message":"no model"}}', 'no model (HTTP 404)'],
  ['anthropic', '<b>never-shown-1 is\n unknown</b>', '<b>*** is unknown</b> (HTTP 404)'],
  ['anthropic', '', 'the service refused without a word (HTTP 404)'],
] as const)('the words of a refusal of %s that is not in its form are told: %s', async ([type, body, message]) => {
  expect(await ask(type, json(body, 404))).toMatchObject({ ok: false, error: { code: 'NotFoundError', message } });
});

test.for(['google', 'anthropic'])('a redirect of %s is not followed, and told', async (type) => {
  const moved: RawAnswer = (response) => response.writeHead(307, { location: 'http://localhost:1/elsewhere' }).end();
  const asked = server.count();
  for (const isStream of [false, true]) {
    expect(await ask(type, moved, isStream)).toMatchObject({
      ok: false,
      error: {
        code: 'APIStatusError',
        message: 'the service redirects to http://localhost:1/elsewhere, which is not followed (HTTP 307)',
        retryable: false,
      },
    });
  }
  expect(server.count()).toBe(asked + 2);
});

test('a streamed call that never ends is no answer', async () => {
  const begun = { type: 'tool_use', id: 't1', name: 'search', input: {} };
  const parts = [
    { type: 'message_start', message: { ...claude, content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: begun },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"q":"a"}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
    { type: 'message_stop' },
  ];
  const message = 'the stream ended before the answer was complete';
  expect(await ask('anthropic', events(parts), true)).toMatchObject({ ok: false, error: { message, retryable: true } });
});

const cached = { cache_read_input_tokens: 8, cache_creation_input_tokens: 8 };
const uncached = 'the tokens of the prompt that were not cached';
test.for<readonly [type: string, usage: object, name: string, value: number]>([
  ['anthropic', { ...usage, cache_read_input_tokens: -10 }, 'cachedTokens', -10],
  ['anthropic', { ...usage, ...cached, input_tokens: -8 }, uncached, -8],
  ['anthropic', { ...usage, input_tokens: 0.5, cache_read_input_tokens: 0.5 }, 'cachedTokens', 0.5],
  ['anthropic', { ...usage, output_tokens_details: { thinking_tokens: 6 } }, 'the tokens of the text', -1],
  ['google', { promptTokenCount: 3, candidatesTokenCount: -5, thoughtsTokenCount: 9 }, 'the tokens of the text', -5],
  ['google', { promptTokenCount: 3, candidatesTokenCount: 9, thoughtsTokenCount: -5 }, 'reasoningTokens', -5],
  ['google', { promptTokenCount: 3, cachedContentTokenCount: 4, candidatesTokenCount: 9 }, uncached, -1],
])(
  'where a part of the tokens is doubtful that %s adds up, none are counted: %j',
  async ([type, told, name, value]) => {
    const result = await ask(
      type,
      json(type === 'google' ? { ...gemini, usageMetadata: told } : { ...claude, usage: told }),
    );
    const doubt = `the service told ${name} as ${value}, which is no count of tokens: not counted`;
    expect(result).toMatchObject({ ok: true, reply: { warnings: expect.arrayContaining([doubt]) } });
    expect(result.ok && result.reply.usage).toBeUndefined();
  },
);

test.for([{}, { candidatesTokenCount: 5 }])(
  'counts without that of the prompt are told, not taken for none: %j',
  async (told) => {
    const result = await ask('google', json({ ...gemini, usageMetadata: told }));
    const warnings = ['the service did not tell how many tokens it used: none are counted'];
    expect(result).toMatchObject({ ok: true, reply: { warnings } });
    expect(result.ok && result.reply.usage).toBeUndefined();
  },
);

test('an argument that the package of a provider may have rounded is told', async () => {
  const call = { type: 'tool_use', id: 't', name: 'search', input: { list: [{ n: 'N' }], small: 7 } };
  const body = JSON.stringify({ ...claude, content: [call], stop_reason: 'tool_use', usage });
  const result = await ask('anthropic', json(body.replace('"N"', '12345678901234567890')));
  expect(result.ok && result.reply.warnings).toEqual([
    "an argument of search is 12345678901234567000, beyond 2^53: its last digits may be others than the model's",
  ]);
  const exact = await ask('anthropic', json(body.replace('"N"', '9007199254740991')));
  expect(exact).toMatchObject({ ok: true });
  expect(exact.ok && exact.reply.warnings).toBeUndefined();
});
