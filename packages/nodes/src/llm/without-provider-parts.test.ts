import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { buildChatRequest } from './build-request.ts';
import { withoutProviderParts } from './without-provider-parts.ts';

const options = { anthropic: { signature: 'c2ln' } };
const call = { id: 't1', type: 'function', function: { name: 'search', arguments: '{}' } };
const thought = { text: 'I should search.', provider_options: options };

test.for<readonly [string, JsonObject, JsonObject]>([
  [
    'thoughts and options of calls',
    {
      role: 'assistant',
      content: null,
      reasoning: [thought, { text: 'Then?' }],
      tool_calls: [{ ...call, provider_options: options }],
    },
    { role: 'assistant', content: null, tool_calls: [call] },
  ],
  [
    'thoughts alone',
    { role: 'assistant', content: 'Hi', reasoning: [{ text: 'Hm.' }] },
    { role: 'assistant', content: 'Hi' },
  ],
  [
    'options of a message and of a part',
    { role: 'user', content: [{ type: 'text', text: 'Hi', provider_options: options }], provider_options: options },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  ],
])('%s are for the provider they came from', ([, message, left]) => {
  const messages = [message, { role: 'user', content: 'q' }];
  const given = { model: 'm' };
  const request = (form: 'openai' | 'plain') => buildChatRequest(form, messages, given);
  expect(request('openai')).toMatchObject({ ok: true, request: { messages: [left, messages[1]] } });
  expect(withoutProviderParts(messages)[0]).toEqual(left);
  expect(request('plain')).toMatchObject({ ok: true, request: { messages } });
});

test('other messages stay the same objects, encrypted thoughts of OpenAI among them', () => {
  const messages = [
    { role: 'assistant', content: 'Hi', reasoning: [{ type: 'reasoning', encrypted_content: 'x' }] },
    { role: 'assistant', content: null, tool_calls: [call] },
  ];
  expect(withoutProviderParts(messages)).toBe(messages);
});
