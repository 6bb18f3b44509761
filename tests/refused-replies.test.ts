import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';

/** What a model service answers, and what promptflow 1.18.5 (promptflow-tools 1.6.1) made of it, recorded. */
const file = join(import.meta.dirname, '../cases/promptflow/refused_replies.jsonl');
const lines = readFileSync(file, 'utf8').trim().split('\n');
const recorded = lines.map(
  (line) => JSON.parse(line) as { readonly status: number; readonly body: unknown; readonly message: string },
);

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { status, body } = recorded[await modelOf(request)] ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => server.close());

interface RowEnded {
  readonly event: string;
  readonly line: number;
  readonly error: { readonly message: string };
}

/** The model, or deployment, is called after the reply that is wanted: `m3`. */
async function modelOf(request: IncomingMessage): Promise<number> {
  const { model } = (await json(request)) as { readonly model?: string };
  const [, deployment] = /\/deployments\/([^/]+)\//.exec(request.url ?? '') ?? [];
  return Number((deployment ?? model)?.slice(1));
}

test.for([
  { type: 'open_ai', address: 'base_url', path: '/v1', name: 'model', api: 'chat' },
  { type: 'azure_open_ai', address: 'api_base', path: '', name: 'deployment_name', api: 'chat' },
  { type: 'azure_open_ai', address: 'api_base', path: '', name: 'deployment_name', api: 'completion' },
])(
  'what $type refuses of a $api is told as Prompt flow tells it',
  { timeout: 240_000 },
  async ({ type, address, path, name, api }) => {
    const { port } = server.address() as AddressInfo;
    using world = createTestWorld();
    writeFiles(world.folder, {
      'connections.yaml': JSON.stringify({ c: { type, api_key: 'k', [address]: `http://127.0.0.1:${port}${path}` } }),
      'ask/a.jinja2': api === 'chat' ? 'system:\nhi\nuser:\nx\n' : 'hi\n',
      'ask/flow.dag.yaml': `inputs: {m: {type: string}}
outputs: {o: {type: string, reference: "\${a.output}"}}
nodes:
- name: a
  type: llm
  source: {type: code, path: a.jinja2}
  inputs: {${name}: "\${inputs.m}"}
  connection: c
  api: ${api}
  retry: {times: 1, wait_seconds: 0.001}
`,
      'models.jsonl': recorded.map((_, at) => JSON.stringify({ m: `m${at}` })).join('\n'),
    });
    const argv = ['run', 'ask', '--data', 'models.jsonl', '--json', '--connections', 'connections.yaml'];
    const rows = (await world.flow(...argv)).stdout
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as RowEnded);
    const ended = rows.filter(({ event }) => event === 'row-ended');
    const messages = ended.toSorted((a, b) => a.line - b.line).map(({ error }) => error.message);
    expect(messages).toEqual(recorded.map(({ message }) => message));
  },
);
