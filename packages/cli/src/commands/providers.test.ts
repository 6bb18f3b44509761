import { type AnthropicAnswer, startAnthropicServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { filesWith } from '../testing/find-secrets.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const key = 'sk-ant-key-0123456789abcdef';

const agent = `inputs: {query: {type: string}}
outputs: {answer: {type: string, reference: "\${ask.output.answer}"}}
nodes:
- name: ask
  type: agent
  source: {type: code, path: ask.jinja2}
  connection: claude
  tools: tools.yaml
  max_iterations: 3
  inputs:
    model: claude-sonnet-4-5
    max_tokens: 4000
    provider_options: {anthropic: {thinking: {type: enabled, budgetTokens: 1024}}}
    query: "\${inputs.query}"
`;
const tools = `- name: price
  description: The price of an item.
  code: tools.ts
  parameters: {type: object, properties: {item: {type: string}}, required: [item]}
`;

const thought = { type: 'thinking', thinking: 'I need the price.', signature: 'c2lnbmVk' };
const called = { type: 'tool_use', id: 'toolu_1', name: 'price', input: { item: 'lamp' } };
const limited = { status: 429, type: 'rate_limit_error', message: 'slow down', headers: { 'retry-after': '0' } };

const turns: readonly AnthropicAnswer[] = [
  { error: limited },
  { content: [thought, called], stopReason: 'tool_use' },
  {
    content: [{ type: 'text', text: 'A lamp is 30.' }],
    usage: { input_tokens: 10, cache_read_input_tokens: 1000, cache_creation_input_tokens: 200, output_tokens: 7 },
  },
];

test('an agent asks Claude: refused once, thinks, calls a tool, answers; everything is recorded but the key', async () => {
  await using server = await startAnthropicServer(...turns);
  using world = createTestWorld();
  writeFiles(world.folder, {
    'agent/flow.dag.yaml': agent,
    'agent/ask.jinja2': '# system:\nBe brief.\n\n# user:\n{{ query }}\n',
    'agent/tools.yaml': tools,
    'agent/tools.ts': 'export const price = ({ item }: { item: string }) => `${item}: 30`;\n',
    'connections.yaml': `claude: {type: anthropic, api_key: ${key}, base_url: "${server.url}"}\n`,
  });
  const run = await world.flow('run', 'agent', '--input', 'query=How much is a lamp?', '--name', 'one');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('A lamp is 30.');
  expect(server.requests).toHaveLength(3);
  expect(server.requests[2]?.body['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'How much is a lamp?' }] },
    { role: 'assistant', content: [thought, called] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'lamp: 30' }] },
  ]);
  const { stdout: planned } = await world.flow('show', 'one', '--node', 'ask_plan_1');
  expect(planned).toContain('RateLimitError');
  expect(planned).toContain('slow down (HTTP 429)');
  const { stdout: answered } = await world.flow('show', 'one', '--node', 'ask_plan_2');
  expect(answered).toContain('1,217 tokens (1,000 cached, 200 written to the cache)');
  expect(await filesWith([key], world.folder, ['connections.yaml'])).toEqual([]);
});

test('a stream that breaks off is asked for again', async () => {
  const answer = { content: [{ type: 'text', text: 'Refunds take thirty days.' }] };
  await using server = await startAnthropicServer({ ...answer, cut: { after: 5, breaks: true } }, answer);
  using world = createTestWorld();
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': `inputs: {query: {type: string}}
outputs: {answer: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: claude
  api: chat
  inputs: {model: claude-sonnet-4-5, max_tokens: 100, stream: true, query: "\${inputs.query}"}
  retry: {times: 1, wait_seconds: 0}
`,
    'ask/ask.jinja2': '# user:\n{{ query }}\n',
    'connections.yaml': `claude: {type: anthropic, api_key: ${key}, base_url: "${server.url}"}\n`,
  });
  const run = await world.flow('run', 'ask', '--input', 'query=How long?', '--json');
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('Refunds take thirty days.');
  expect(server.requests.map(({ body }) => body['stream'])).toEqual([true, true]);
});

test('flow check names what is missing, in a line that can be pasted, and what a model cannot be asked for', async () => {
  using world = createTestWorld();
  const node = (name: string, connection: string, inputs: string): string =>
    `- {name: ${name}, type: llm, source: {type: code, path: ask.jinja2}, connection: ${connection}, api: chat, inputs: {${inputs}}}`;
  writeFiles(world.folder, {
    'flow.dag.yaml': [
      'inputs: {query: {type: string}}',
      'outputs: {one: {type: string, reference: "${one.output}"}, two: {type: string, reference: "${two.output}"}}',
      'nodes:',
      node('one', 'other', 'model: sonar, query: "${inputs.query}"'),
      node('two', 'claude', 'model: claude-sonnet-4-5, n: 3, seed: 1, query: "${inputs.query}"'),
      '',
    ].join('\n'),
    'ask.jinja2': '# user:\n{{ query }}\n',
    'connections.yaml': `claude: {type: anthropic, api_key: ${key}}\nother: {type: ai_sdk, package: "@ai-sdk/perplexity", settings: {apiKey: ${key}}}\n`,
  });
  const { code, stdout } = await world.flow('check', '.');
  expect(code).toBe(2);
  expect(stdout).toContain('a connection of type ai_sdk needs @ai-sdk/perplexity, which is not installed');
  expect(stdout).toContain('npm install @ai-sdk/perplexity');
  expect(stdout).toMatch(/error CONNECTION_DOUBT connection "claude" \(anthropic\) has no place for n/);
  expect(stdout).toMatch(/warning CONNECTION_DOUBT connection "claude" \(anthropic\) has no place for seed/);
});

test('a connection to a provider is kept with its settings, its key as a secret', async () => {
  using world = createTestWorld({ environment: { FLOW_CONNECTION_KEY: Buffer.alloc(32, 7).toString('base64') } });
  writeFiles(world.folder, {
    'any.yaml': 'type: ai_sdk\npackage: "@ai-sdk/mistral"\nsettings: {headers: {x-team: search}}\n',
  });
  const given = ['--file', 'any.yaml', '--set', `settings.apiKey=${key}`];
  const created = await world.flow('connection', 'create', '--name', 'any', '--project', ...given);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await world.flow('connection', 'show', 'any');
  expect(stdout).toMatch(/^package +@ai-sdk\/mistral$/m);
  expect(stdout).toMatch(/^settings\.apiKey +\*{6}$/m);
  expect(stdout).toMatch(/^settings\.headers\.x-team +\*{6}$/m);
  expect(await filesWith([key], world.folder, [])).toEqual([]);
});
