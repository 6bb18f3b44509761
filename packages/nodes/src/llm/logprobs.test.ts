import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type NodeRun, openFlow, type RowOptions } from '@unroll/engine';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { nodeTypes } from '../node-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-logprobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'ask.jinja2'), 'user:\n{{ q }}\n');

const key = 'sk-never-recorded-0123456789';
const logprobs = [
  {
    token: 'Yes',
    logprob: -0.25,
    bytes: [89, 101, 115],
    top_logprobs: [{ token: 'Yes', logprob: -0.25, bytes: null }],
  },
  { token: '.', logprob: 0, bytes: [46], top_logprobs: [] },
];

interface Settings {
  readonly api: string;
  readonly streams?: boolean;
  readonly keys?: object;
  readonly inputs?: object;
  readonly content?: string;
}

async function run({ api, streams = false, keys = {}, inputs, content = 'Yes.' }: Settings): Promise<NodeRun> {
  await using server = await startOpenAiServer([{ message: { content }, logprobs }]);
  const connection: Connection = {
    name: 'main',
    type: 'open_ai',
    configs: { base_url: `${server.url}/v1` },
    secrets: { api_key: key },
  };
  const node = {
    name: 'ask',
    type: 'llm',
    source: { type: 'code', path: 'ask.jinja2' },
    connection: 'main',
    api,
    ...keys,
    inputs: { model: 'gpt-4o', q: 'Is it?', ...inputs },
  };
  const outputs = { answer: { type: 'string', reference: '${ask.output}' } };
  writeFileSync(join(folder, 'flow.dag.yaml'), JSON.stringify({ outputs, nodes: [node] }));
  const { flow, diagnostics } = await openFlow(
    { file: join(folder, 'flow.dag.yaml'), folder },
    { nodeTypes: nodeTypes(), connections: { find: () => connection, names: () => ['main'] } },
  );
  if (flow === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  await using opened = flow;
  const options: RowOptions = streams ? { streaming: { nodes: 'answers', tokens: true } } : {};
  const [ended] = (await opened.runRow({}, options)).nodes;
  if (ended === undefined) throw new Error('bug: no node ran');
  return ended;
}

const asked = { logprobs: true, top_logprobs: 1 };
const told = { content: logprobs, refusal: null };
const ways = [
  { api: 'chat' },
  { api: 'chat', streams: true },
  { api: 'responses' },
  { api: 'responses', streams: true },
];

test.for(ways)('%o: the record holds them, and the output stays the text', async (way) => {
  const node = await run({ ...way, inputs: asked });
  expect([node.output, node.logprobs]).toEqual(['Yes.', told]);
  expect(await run(way)).not.toHaveProperty('logprobs');
});

test.for(ways)('%o: `returns: choice` hands them on', async (way) => {
  const keys = { returns: 'choice' };
  expect((await run({ ...way, keys, inputs: asked })).output).toMatchObject({ content: 'Yes.', logprobs: told });
  expect((await run({ ...way, keys })).output).not.toHaveProperty('logprobs');
});

test.for(ways)('%o: tokens do not spell out a secret that is taken out of the text', async (way) => {
  const node = await run({ ...way, inputs: asked, content: `Yes, ${key}` });
  expect(node.output).toBe('Yes, ***');
  expect(node).not.toHaveProperty('logprobs');
  expect(node.warnings).toContain('logprobs are left out: the answer held a secret');
});
