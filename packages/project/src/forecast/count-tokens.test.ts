import { expect, test } from 'vitest';
import { requestTokens, tokenCounter } from './count-tokens.ts';

/** The messages and numbers of OpenAI's cookbook, "How to count tokens with tiktoken". */
const messages = [
  {
    role: 'system',
    content: 'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
  },
  { role: 'system', name: 'example_user', content: 'New synergies will help drive top-line growth.' },
  { role: 'system', name: 'example_assistant', content: 'Things working well together will increase revenue.' },
  {
    role: 'system',
    name: 'example_user',
    content: "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
  },
  {
    role: 'system',
    name: 'example_assistant',
    content: "Let's talk later when we're less busy about how to do better.",
  },
  {
    role: 'user',
    content: "This late pivot means we don't have time to boil the ocean for the client deliverable.",
  },
];

test.for([
  ['gpt-3.5-turbo', 129],
  ['gpt-4-0613', 129],
  ['gpt-4', 129],
  ['gpt-4o', 124],
  ['gpt-4o-mini', 124],
] as const)('%s takes %i tokens for these messages', async ([model, tokens]) => {
  expect(requestTokens({ messages }, await tokenCounter(model))).toBe(tokens);
});

test('completion prompts, parts of messages and functions count', async () => {
  const count = await tokenCounter('gpt-4o');
  const text = 'tiktoken is great!';
  expect(count(text)).toBe(6);
  expect(requestTokens({ prompt: text }, count)).toBe(6);
  const said = requestTokens({ messages: [{ role: 'user', content: text }] }, count);
  const parts = [
    { type: 'text', text },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
  ];
  expect(requestTokens({ messages: [{ role: 'user', content: parts }] }, count)).toBe(said);
  const functions = [{ name: 'search', parameters: { type: 'object', properties: {} } }];
  expect(requestTokens({ messages: [{ role: 'user', content: text }], functions }, count)).toBeGreaterThan(said);
});
