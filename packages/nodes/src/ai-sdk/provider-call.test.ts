import { Float, type ModelRequest } from '@unroll/engine';
import { expect, test } from 'vitest';
import { providerCall } from './provider-call.ts';

const hi = { role: 'user', content: 'Hi' } as const;
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
const search = { name: 'search', description: '', parameters: { type: 'object', properties: {} } };
const tool = { type: 'function', name: 'search', inputSchema: search.parameters };

test.for<readonly [string, ModelRequest, object]>([
  ['nothing but messages', {}, {}],
  [
    'settings by their names, as plain numbers',
    {
      temperature: new Float(1),
      top_p: 0.5,
      top_k: 5,
      max_completion_tokens: 9,
      seed: 1,
      presence_penalty: new Float(2),
    },
    { temperature: 1, topP: 0.5, topK: 5, maxOutputTokens: 9, seed: 1, presencePenalty: 2 },
  ],
  ['nothing of what is null', { temperature: null, seed: null, stop: null, tools: null, response_format: null }, {}],
  ['one stop and several', { stop: 'END' }, { stopSequences: ['END'] }],
  ['stops that are none', { stop: [] }, {}],
  ['JSON of any form', { response_format: { type: 'json_object' } }, { responseFormat: { type: 'json' } }],
  ['text', { response_format: { type: 'text' } }, {}],
  [
    'a schema, its numbers plain',
    { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { minimum: new Float(1) } } } },
    { responseFormat: { type: 'json', name: 'n', schema: { minimum: 1 } } },
  ],
  ['how much to think', { reasoning_effort: 'low' }, { reasoning: 'low' }],
  [
    'tools, and that none is to be called',
    { tools: [{ type: 'function', function: { ...search, strict: true } }], tool_choice: 'none' },
    { tools: [{ ...tool, strict: true }], toolChoice: { type: 'none' } },
  ],
  [
    'one certain tool',
    {
      tools: [{ type: 'function', function: search }],
      tool_choice: { type: 'function', function: { name: 'search' } },
    },
    { tools: [tool], toolChoice: { type: 'tool', toolName: 'search' } },
  ],
  ['functions', { functions: [search], function_call: 'auto' }, { tools: [tool], toolChoice: { type: 'auto' } }],
  ['no tool', { tools: [], tool_choice: 'auto' }, {}],
  [
    'options of the provider',
    { provider_options: { google: { thinkingConfig: { thinkingBudget: new Float(5) } } } },
    { providerOptions: { google: { thinkingConfig: { thinkingBudget: 5 } } } },
  ],
])('%s', ([, request, options]) => {
  expect(providerCall({ model: 'm', stream: false, messages: [hi], ...request }, 'v4')).toEqual({
    ok: true,
    options: { prompt, ...options },
    warnings: [],
  });
});

test('a result without a call of its id keeps its name, blank texts and empty messages are left out', () => {
  const messages = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: ' ' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'Hi' },
      ],
    },
    { role: 'assistant', content: '' },
    { role: 'tool', tool_call_id: 't9', name: 'lost', content: { found: 1 } },
  ];
  expect(providerCall({ messages }, 'v4')).toMatchObject({
    options: {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'tool',
          content: [
            { toolCallId: 't9', toolName: 'lost', output: { type: 'text', value: expect.stringContaining('found') } },
          ],
        },
      ],
    },
  });
});

test('what version 3 has no place for is told', () => {
  expect(providerCall({ messages: [hi], reasoning_effort: 'low' }, 'v3')).toEqual({
    ok: true,
    options: { prompt },
    warnings: ['reasoning_effort is not sent: this version of the provider takes it in provider_options'],
  });
});
