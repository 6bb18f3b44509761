// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';
import {
  type HttpReply,
  type HttpRequestSeen,
  startAzureSearchServer,
  startHttpServer,
  startRawServer,
} from '../packages/nodes/src/testing/index.ts';
import { rehearsal } from './pages/rehearsal.ts';
import { sampleWorld } from './pages/sample-world.ts';

/** A busy machine may take so long. */
const timeout = 600_000;

const root = join(import.meta.dirname, '..');

const asking = (settings: string): Readonly<Record<string, string>> => ({
  'answer/flow.dag.yaml': `inputs: {question: {type: string}}
outputs: {answer: {type: string, reference: "\${answer.output}"}}
nodes:
${settings}`,
  'answer/answer.jinja2': 'system:\nAnswer in one sentence.\n\nuser:\n{{ question }}\n',
});

test('a connection is kept, shown and tested as its page shows it', { timeout }, async () => {
  await using azure = await startHttpServer(({ url, headers }) => {
    const isRight = url.pathname === '/openai/models' && headers['api-key'] === 'k-1234-5678';
    return isRight ? { body: { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] } } : { status: 401, body: {} };
  });
  using home = createTestWorld();
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...asking(
      '  - name: answer\n    connection: mine\n    type: llm\n    source: {type: code, path: answer.jinja2}\n    api: chat\n    inputs: {model: m, question: "${inputs.question}"}\n',
    ),
    'answer/connections.yaml': 'mine: {type: open_ai, api_key: "${env:MY_KEY}"}\n',
    'azure.yaml': `name: azure\ntype: azure_open_ai\napi_base: ${azure.url}\n`,
    'key.txt': 'k-1234-5678\n',
  });
  const words = {
    'https://example.openai.azure.com': azure.url,
    'example.openai.azure.com': new URL(azure.url).host,
  };
  const lasting = (text: string): string => text.replaceAll(/[\d-]{10}T[\d:.]+Z/g, 'THEN');
  const environment = { HOME: home.folder };
  await rehearsal('docs/connections.md', { folder: world.folder, environment, words, lasting }).type();
});

test('a model answers, and a question opens no role, as the page on their nodes shows it', { timeout }, async () => {
  const page = 'docs/llm-nodes.md';
  const [, nodes = ''] = /^```yaml\nnodes:\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8')) ?? [];
  using world = createTestWorld();
  writeFiles(world.folder, { ...asking(nodes), 'answer/replies.yaml': '- reply: Refunds take thirty days.\n' });
  await rehearsal(page, world).type();
});

test('an index is sent to Azure as its page says', { timeout }, async () => {
  await using search = await startAzureSearchServer();
  await using models = await startHttpServer(embedded);
  using home = createTestWorld();
  const environment = { HOME: home.folder };
  using world = createTestWorld({ environment });
  writeFiles(world.folder, {
    'docs/guide.md': '# Reports\n\nA breach is reported within three days.\n',
    'key.txt': search.key,
    'connections.yaml': `azure: {type: azure_open_ai, api_key: k, api_base: "${models.url}"}\n`,
  });
  const words = { 'https://<name>.search.windows.net': search.url };
  await rehearsal('docs/azure-ai-search.md', { folder: world.folder, words, environment }).type();
  const asked = await world.flow('index', 'query', 'kb', 'breach', '--azure', 'my_search', '--mode', 'keyword');
  expect(asked.stdout).toContain('docs/guide.md#reports');
});

function embedded({ body }: HttpRequestSeen): HttpReply {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] };
  const numbers = Buffer.from(new Float32Array([0.6, 0.8]).buffer).toString('base64');
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding: numbers }));
  return { body: { object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } } };
}

/** A model that speaks on until it is cut off, calls no tool and keeps to a schema where it is given one. */
function talking({ url, body }: HttpRequestSeen): HttpReply {
  if (url.pathname === '/v1/models') return { body: { data: [{ id: 'smollm2-135m' }] } };
  const { stream, response_format: format } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const usage = { prompt_tokens: 200, completion_tokens: 60, total_tokens: 260 };
  const completion = { id: 'c', created: 0, model: 'smollm2-135m' };
  if (stream === true) {
    const events = ['one', ' two', ' three'].map((content) => ({
      ...completion,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content }, finish_reason: content === ' three' ? 'stop' : null }],
    }));
    return { body: `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n` };
  }
  const content = format === undefined ? 'You can ask the office, and then' : '{"colour": "red"}';
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'length', logprobs: null };
  return { body: { ...completion, object: 'chat.completion', choices: [choice], usage } };
}

test('the samples ask another model, and say what it did not do, as their page shows it', { timeout }, async () => {
  await using model = await startHttpServer(talking);
  await using silent = await startRawServer();
  silent.answerWith(() => () => undefined);
  const samples = ['privacy-agent', 'tool-agent'];
  using world = sampleWorld([...samples.map((name) => `flows/${name}`), 'evals/privacy-agent']);
  const connect = (url: string): void =>
    writeFiles(world.folder, { 'connections.yaml': `smol: {type: open_ai, base_url: "${url}/v1", api_key: none}\n` });
  connect(model.url);
  for (const name of samples) {
    const path = join(world.folder, `flows/${name}/flow.dag.yaml`);
    const flow = readFileSync(path, 'utf8').replace('connection: offline', 'connection: smol');
    writeFileSync(path, flow.replace(/^( *)model: offline$/m, '$1model: smollm2-135m\n$1max_tokens: 60'));
  }
  const lasting = (text: string): string =>
    text
      .replaceAll(/ \([\d,]+ cached\)|^\d+ s {2}\d+ of \d+ .*$/gm, '')
      .replaceAll(/127\.0\.0\.1:\d+|(?<!\w)\d[\d,]*(?= tokens| pieces|$)/gm, 'N');
  const page = rehearsal('docs/real-model.md', { ...world, lasting });
  await page.type(3);
  connect(silent.url);
  await page.type();
});

test('what is named for a run and is not there is told as the page of mistakes says', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'my-flow/flow.dag.yaml':
      'nodes:\n- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: offline, api: chat, inputs: {model: offline}}\n',
    'my-flow/ask.jinja2': 'user:\nhi\n',
  });
  const [, line = ''] =
    /^flow (run my-flow --connections \S+)/m.exec(readFileSync(join(root, 'docs/diagnostics.md'), 'utf8')) ?? [];
  const { code, stderr } = await world.flow(...line.split(' '));
  expect([code, stderr]).toEqual([2, expect.stringContaining('FLOW_OVERRIDE')]);
});
