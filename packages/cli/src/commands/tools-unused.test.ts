import { startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `inputs: {query: {type: string, default: Where is it?}}
outputs: {answer: {type: string, reference: "\${helper.output.answer}"}}
nodes:
- name: helper
  type: agent
  source: {type: code, path: helper.jinja2}
  connection: mine
  tools:
  - name: look_up
    description: Looks a word up.
    code: tools.ts
    parameters: {type: object, properties: {word: {type: string}}, required: [word]}
  max_iterations: 2
  inputs: {model: m, query: "\${inputs.query}"}
`;
const call = { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"word": "it"}' } };
const words = { content: 'Over there.' };
const asks = { content: null, tool_calls: [call] };

test.for([
  { what: 'one row in words', data: '', replies: [words], warned: 'answered its first turn without a call\n' },
  { what: 'one row with a call', data: '', replies: [asks, words], warned: undefined },
  {
    what: 'three rows in words',
    data: '{"query": "a"}\n{"query": "b"}\n{"query": "c"}\n',
    replies: [words, words, words],
    warned: 'answered its first turn without a call in 3 rows\n',
  },
  {
    what: 'rows one of which calls',
    data: '{"query": "a"}\n{"query": "b"}\n',
    replies: [words, asks, words],
    warned: undefined,
  },
])('an agent that calls none of its tools is told once: $what', async ({ data, replies, warned }) => {
  await using server = await startOpenAiServer(replies.map((message) => ({ message })));
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'f/helper.jinja2': 'user:\n{{ query }}\n',
    'f/tools.ts': 'export function look_up({ word }: { word: string }) { return `found ${word}`; }\n',
    'connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "${server.url}/v1"}\n`,
    ...(data === '' ? {} : { 'd.jsonl': data }),
  });
  const more =
    data === '' ? [] : ['--data', 'd.jsonl', '--concurrency', '1', '--column-mapping', 'query=${data.query}'];
  const { stdout, stderr, code } = await world.flow('run', 'f', ...more);
  expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  expect(stderr.match(/was offered tools/g) ?? []).toHaveLength(warned === undefined ? 0 : 1);
  if (warned !== undefined) {
    expect(stderr).toContain(warned);
    expect(stderr).toContain('flow connection test mine --model MODEL says whether the service honours tools');
  }
});
