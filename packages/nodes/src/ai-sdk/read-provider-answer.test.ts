import { expect, test } from 'vitest';
import type { GenerateResult } from './language-model.ts';
import { readProviderAnswer } from './read-provider-answer.ts';
import { readProviderStream } from './read-provider-stream.ts';

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const hi = { type: 'text', text: 'Hi' };
const told: GenerateResult = { content: [hi], finishReason: { unified: 'stop', raw: 'end' }, usage, warnings: [] };

function read(result: Partial<GenerateResult>) {
  return readProviderAnswer({ ...told, ...result }, 'chat', false);
}

test('what is neither text nor a call of ours is left out of the message', () => {
  const content = [
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'tool-call', toolCallId: 't', toolName: 'web_search', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 't', toolName: 'web_search', result: {} },
    hi,
    { type: 'text', text: ' there' },
  ];
  expect(read({ content })).toMatchObject({ ok: true, reply: { body: { role: 'assistant', content: 'Hi there' } } });
});

test('files that a model made are left out of the message, and told, in a stream too', async () => {
  const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } };
  const thought = { ...file, type: 'reasoning-file', mediaType: 'image/webp' };
  const warnings = ['the answer holds a file (image/png), which is left out: only its text is taken'];
  const reply = { body: { role: 'assistant', content: 'Hi' }, warnings };
  expect(read({ content: [hi, file, thought] })).toMatchObject({ ok: true, reply });
  const several = ['the answer holds 2 files (image/png), which are left out: only its text is taken'];
  expect(read({ content: [file, hi, file] })).toMatchObject({ ok: true, reply: { warnings: several } });
  const parts = [{ type: 'text-delta', id: '0', delta: 'Hi' }, file, { ...told, type: 'finish' }];
  const streamed = await readProviderStream(ReadableStream.from(parts), undefined);
  expect(streamed.kind === 'whole' && read(streamed.result)).toMatchObject({ ok: true, reply });
});

test.for<readonly [string, unknown, readonly string[]]>([
  ['nothing', undefined, ['the service did not tell how many tokens it used: none are counted']],
  [
    'no counts',
    { inputTokens: {}, outputTokens: {} },
    ['the service did not tell how many tokens it used: none are counted'],
  ],
  [
    'a broken count',
    { ...usage, inputTokens: { total: 2.5 } },
    ['the service told usage.prompt_tokens as 2.5, which is no count of tokens: not counted'],
  ],
  [
    'more from the cache than there was',
    { ...usage, inputTokens: { total: 3, cacheRead: 9 } },
    ['the service told cachedTokens as 9, which is no count of tokens: not counted'],
  ],
])('%s in the place of tokens is told', ([, wrong, warnings]) => {
  expect(read({ usage: wrong })).toMatchObject({ ok: true, reply: { warnings } });
});

test.for<readonly [unknown, string]>([
  [{ type: 'unsupported', feature: 'topK' }, 'the provider does not take top_k'],
  [{ type: 'unsupported', feature: 'seed', details: 'never did' }, 'the provider does not take seed: never did'],
  [{ type: 'compatibility', feature: 'toolChoice', details: 'auto' }, 'the provider adapts tool_choice: auto'],
  [{ type: 'deprecated', setting: 'name', message: 'write key' }, 'the provider will no longer take name: write key'],
  [{ type: 'other', message: 'be careful' }, 'the provider warns: be careful'],
  ['a text', 'the provider warns: "a text"'],
])('the warning %j is told as %s', ([warning, text]) => {
  expect(read({ warnings: [warning] })).toMatchObject({ ok: true, reply: { warnings: [text] } });
});

test.for<readonly [string, Partial<GenerateResult>]>([
  ['a text that is none', { content: [{ type: 'text', text: 5 }] }],
  ['a call without its name', { content: [{ type: 'tool-call', toolCallId: 't', input: '{}' }] }],
  ['no reason', { finishReason: undefined }],
])('%s is no answer', ([, result]) => {
  expect(read(result)).toMatchObject({ ok: false, problem: { code: 'UnusableAnswer', retryable: true } });
});

test.for([
  ['stop', 'end', 'stop'],
  ['tool-calls', 'tool_use', 'tool_calls'],
  ['other', 'pause', 'pause'],
  ['stop', 'pause_turn', 'pause_turn'],
  ['other', undefined, 'other'],
] as const)('an end by %s (%s) is %s', ([unified, raw, reason]) => {
  expect(read({ finishReason: { unified, raw } })).toMatchObject({
    reply: { whole: { choices: [{ finish_reason: reason }] } },
  });
});
