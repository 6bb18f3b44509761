import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OpenAiServer, type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const rows = 40;
const question = (row: number): string => `question ${row}.`;
const answer = (row: number): ServerReply => ({
  when: question(row),
  message: { role: 'assistant', content: `answer ${row}` },
});

/** A flow of one llm node whose connection is to be overridden, its data, and a connection to the server. */
function writeAskFlow(folder: string, server: Pick<OpenAiServer, 'url'>): void {
  writeFiles(folder, {
    'ask/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: offline
  api: chat
  retry: {times: 5, wait_seconds: 0.01}
  inputs: {deployment_name: "", model: unset, q: "\${inputs.q}"}
`,
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${server.url}/v1"}\n`,
    'q.jsonl': Array.from({ length: rows }, (_, row) => `${JSON.stringify({ q: question(row) })}\n`).join(''),
  });
}

const argv = ['run', 'ask', '--data', 'q.jsonl', '--name', 'r', '--json'];
const overrides = ['--connections', 'ask.connection=mine', 'ask.model=gpt-4o-mini'];

function timesAsked(server: OpenAiServer, row: number): number {
  return server.requests.filter(({ body }) => JSON.stringify(body).includes(`"${question(row)}"`)).length;
}

test('every tenth answer a 429 and some 500s: no row is lost; model and connection are those of the run', async () => {
  const refusals = Array.from({ length: rows }, (_, row): readonly ServerReply[] => {
    if (row % 10 === 3) return [{ when: question(row), status: 429, headers: { 'retry-after-ms': '5' }, error: {} }];
    return row % 16 === 5 ? [{ when: question(row), status: 500, error: {} }] : [];
  }).flat();
  await using server = await startOpenAiServer([...refusals, ...Array.from({ length: rows }, (_, row) => answer(row))]);
  using world = createTestWorld();
  writeAskFlow(world.folder, server);
  const { code, stdout } = await world.flow(...argv, ...overrides);
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect([code, result.rows]).toMatchObject([0, { completed: rows, failed: 0 }]);
  expect(server.requests).toHaveLength(rows + refusals.length);
  expect(new Set(server.requests.map(({ body }) => body['model']))).toEqual(new Set(['gpt-4o-mini']));
  expect(result.cost_usd).toBeGreaterThan(0);
});

test('killed and resumed, no model call whose row was told to be done is made again', async () => {
  const slow = (row: number): ServerReply => ({ ...answer(row), delayMs: 15 });
  const replies = Array.from({ length: rows }, (_, row) => slow(row));
  await using server = await startOpenAiServer([...replies, ...replies]);
  using world = createTestWorld();
  writeAskFlow(world.folder, server);
  const run = startFlow([...argv, ...overrides, '--concurrency', '2'], { folder: world.folder });
  await run.said('row-ended', 12);
  run.child.kill('SIGKILL');
  const { stdout } = await run.ended;
  const told = [...stdout.matchAll(/"row-ended","line":(\d+)/g)].map(([, line]) => Number(line));
  const resumed = await startFlow(['run', '--resume', 'r', '--json'], { folder: world.folder }).ended;
  expect(resumed.code).toBe(0);
  expect(told.filter((row) => timesAsked(server, row) !== 1)).toEqual([]);
  const asked = Array.from({ length: rows }, (_, row) => timesAsked(server, row));
  expect(asked.filter((times) => times > 1).length).toBeLessThanOrEqual(2);
  expect(Math.min(...asked)).toBe(1);
}, 120_000);

/** A model that takes so many calls at a time and refuses all others. */
async function startNarrowServer(most: number): Promise<{ readonly url: string; readonly refusals: () => number }> {
  let inFlight = 0;
  let refused = 0;
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const completion = { id: 'c', object: 'chat.completion', created: 0, model: 'm', choices: [choice], usage };
  const server = createServer((request, response) => {
    request.resume();
    if (inFlight >= most) {
      refused += 1;
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '3' });
      response.end('{"error":{"message":"slow down","type":"requests","code":"rate_limit"}}');
      return;
    }
    inFlight += 1;
    response.on('close', () => {
      inFlight -= 1;
    });
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completion));
    }, 4);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refusals: () => refused };
}

test('a service that takes few calls at a time is asked fewer at a time: no row is lost, few are refused', async () => {
  const server = await startNarrowServer(3);
  using world = createTestWorld();
  writeAskFlow(world.folder, server);
  const lines = Array.from({ length: 300 }, (_, row) => `${JSON.stringify({ q: question(row) })}\n`).join('');
  writeFiles(world.folder, { 'q.jsonl': lines });
  const { code, stdout } = await world.flow(...argv, ...overrides, '--concurrency', '50');
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect([code, result.rows]).toMatchObject([0, { completed: 300, failed: 0 }]);
  expect(server.refusals()).toBeGreaterThan(0);
  expect(server.refusals()).toBeLessThan(300);
}, 60_000);
