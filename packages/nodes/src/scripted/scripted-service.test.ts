import { expect, test } from 'vitest';
import { scriptedService } from './scripted-service.ts';

const messages = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'say "hi"\nto C:\\me' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', function: { name: 'search', arguments: '{"q": "x"}' } }],
  },
];

test.for([
  ['kind', true],
  ['say "hi"', true],
  ['hi"\nto', true],
  ['C:\\me', true],
  ['search', true],
  ['{"q": "x"}', true],
  ['user', false],
  ['content', false],
  ['tool_calls', false],
])('a request that says what it says holds %j: %j', async ([when, isHeld]) => {
  const service = scriptedService([{ when: String(when), reply: 'one' }]);
  expect(await service.call('chat', { messages }, { signal: new AbortController().signal })).toMatchObject({
    ok: isHeld,
  });
});
