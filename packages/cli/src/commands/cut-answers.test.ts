import { startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `inputs: {query: {type: string, default: Where is it?}}
outputs: {answer: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: m, query: "\${inputs.query}"}
`;
const half = { message: { content: 'It lies behind the' }, finishReason: 'length' };
const whole = { message: { content: 'Over there.' } };
const filtered = { message: { content: 'It is' }, finishReason: 'content_filter' };

test.for([
  {
    what: 'one row',
    rows: 0,
    replies: [half],
    warned: 'warning: ask: the answer was cut off at its limit of tokens (finish_reason: length)\n',
  },
  {
    what: 'two of three rows',
    rows: 3,
    replies: [half, whole, half],
    warned: 'warning: ask: the answer was cut off at its limit of tokens (finish_reason: length), 2 times\n',
  },
  {
    what: 'a filter',
    rows: 0,
    replies: [filtered],
    warned: "warning: ask: the answer was cut off by the service's filter (finish_reason: content_filter)\n",
  },
  {
    what: 'one without text, in two rows',
    rows: 3,
    replies: [{ message: { content: null } }, whole, { message: { content: '' } }],
    warned: 'warning: ask: the model answered without text (finish_reason: stop), 2 times\n',
  },
  {
    what: 'a filter that left nothing',
    rows: 0,
    replies: [{ message: { content: '' }, finishReason: 'content_filter' }],
    warned: 'warning: ask: the model answered without text (finish_reason: content_filter)\n',
  },
  {
    what: 'a refusal',
    rows: 0,
    replies: [{ message: { content: null, refusal: 'I will not tell.' } }],
    warned: 'warning: ask: the model answered without text: it refused\n',
  },
  {
    what: 'a call of a tool that was not offered',
    rows: 0,
    replies: [
      { message: { tool_calls: [{ id: '1', type: 'function', function: { name: 'remove', arguments: '{}' } }] } },
    ],
    warned: 'warning: ask: the model answered without text: it calls a tool, and none was offered\n',
  },
  { what: 'none', rows: 2, replies: [whole, whole], warned: '' },
])('answers that were cut off, or have no text, are told once a run: $what', async ({ rows, replies, warned }) => {
  await using server = await startOpenAiServer(replies);
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'f/ask.jinja2': 'user:\n{{ query }}\n',
    'connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "${server.url}/v1"}\n`,
    'd.jsonl': '{"query": "a"}\n'.repeat(rows),
  });
  const ofData = ['--data', 'd.jsonl', '--concurrency', '1', '--column-mapping', 'query=${data.query}', '--quiet'];
  const { code, stderr } = await world.flow('run', 'f', ...(rows === 0 ? [] : ofData));
  expect([code, stderr]).toEqual([0, warned]);
});
