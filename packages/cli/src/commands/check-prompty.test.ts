import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const where = { AZURE_OPENAI_ENDPOINT: 'http://127.0.0.1:9', AZURE_OPENAI_API_KEY: 'k', OPENAI_API_KEY: 'k' };

test.for([
  {
    configuration: '{type: azure_openai, azure_deployment: d}',
    told: 'ask.prompty:4:18 error CONNECTION_DOUBT the model configuration of Ask does not say where its model is\n',
    help: 'set AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY, or write connection: NAME; for one run, --connections Ask.connection=NAME',
  },
  {
    configuration: '{type: openai, model: m}',
    told: 'error CONNECTION_DOUBT the model configuration of Ask does not say where its model is\n',
    help: 'set OPENAI_API_KEY, or write connection: NAME; for one run, --connections Ask.connection=NAME',
  },
  {
    configuration: '{type: openai, model: m, organization: o}',
    told: 'error CONNECTION_DOUBT the model configuration has no api_key\n',
    help: 'write it there, as a variable of the environment: ${env:NAME}',
  },
  {
    configuration: '{type: azure_openai, azure_deployment: d, api_key: k}',
    told: 'error CONNECTION_DOUBT the model configuration has no azure_endpoint\n',
    help: 'write it there, as a variable of the environment: ${env:NAME}',
  },
  {
    configuration: '{type: openai, model: m, api_key: $OUR_KEY}',
    told: 'ask.prompty:4:52 error CONNECTION_DOUBT "api_key" names a variable in a form that is not read, and would be sent as it stands\n',
    help: 'write ${env:OUR_KEY}',
  },
  {
    configuration: '{connection: mine, azure_deployment: d}',
    told: 'ask.prompty:4:31 error CONNECTION_MISSING there is no connection "mine"',
    help: 'define it in connections.yaml',
  },
])(
  'a prompty that does not say where its model is is not ready: $configuration',
  async ({ configuration, told, help }) => {
    using world = createTestWorld();
    const text = `---\nname: Ask\nmodel:\n  configuration: ${configuration}\n---\nsystem:\nhi\n`;
    writeFiles(world.folder, { 'ask.prompty': text });
    const check = await world.flow('check', 'ask.prompty');
    expect([check.code, check.stdout]).toEqual([2, expect.stringContaining(told)]);
    expect(check.stdout).toContain(help);
    expect(await world.flow('run', 'ask.prompty')).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
  },
);

test.for([
  '{type: azure_openai, azure_deployment: d}',
  '{type: azure_openai, azure_deployment: d, api_key: k}',
  '{type: azure_openai, azure_deployment: d, api_version: 2024-02-01}',
  '{type: openai, model: m, organization: o}',
])('a prompty whose model stands in the environment is ready: %s', async (configuration) => {
  using world = createTestWorld({ environment: where });
  const text = `---\nname: Ask\nmodel:\n  configuration: ${configuration}\n---\nsystem:\nhi\n`;
  writeFiles(world.folder, { 'ask.prompty': text });
  expect((await world.flow('check', 'ask.prompty')).stdout).toBe('✓ ask.prompty: 1 node, ready to run\n');
});

test.for([
  [['Ask.connection=offline'], 0, '✓ ask.prompty: 1 node, ready to run'],
  [['Ask.connection=offline', 'Ask.model=m'], 0, '✓ ask.prompty: 1 node, ready to run'],
  [['Ask.model=m'], 2, 'error CONNECTION_DOUBT the model configuration of Ask does not say where its model is'],
  [['Ask.connection=mine', 'Ask.model=m'], 2, 'error CONNECTION_MISSING there is no connection "mine"'],
  [['Ask.api=chat'], 2, 'error FLOW_OVERRIDE "api" of node "Ask" cannot be overridden'],
] as const)('a prompty that says nothing of its model, with --connections %s', async ([chosen, code, told]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'ask.prompty': '---\nname: Ask\ninputs: {q: {type: string}}\n---\nsystem:\nhi {{ q }}\n',
  });
  const check = await world.flow('check', 'ask.prompty', '--connections', ...chosen);
  expect([check.code, check.stdout]).toEqual([code, expect.stringContaining(told)]);
  const run = await world.flow('run', 'ask.prompty', '--input', 'q=there', '--connections', ...chosen);
  expect([run.code, run.stdout + run.stderr]).toEqual([
    code,
    expect.stringContaining(code === 0 ? 'Received: ' : told),
  ]);
});

test('parameters that the service of its connection has no place for are told at their place', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'connections.yaml': 'br: {type: amazon_bedrock, region: us-east-1, access_key_id: a, secret_access_key: b}\n',
    'ask.prompty': `---
model:
  configuration: {connection: br, model: some.model}
  parameters: {max_tokens: 10, seed: 3, n: 2}
inputs:
  q: {type: string}
---
user:
{{q}}
`,
  });
  const { code, stdout } = await world.flow('check', 'ask.prompty');
  expect(code).toBe(2);
  expect(stdout.match(/^ask\.prompty:.*$/gm)).toEqual([
    'ask.prompty:4:38 warning CONNECTION_DOUBT connection "br" (amazon_bedrock) has no place for seed',
    'ask.prompty:4:44 error CONNECTION_DOUBT connection "br" (amazon_bedrock) has no place for n',
  ]);
});
