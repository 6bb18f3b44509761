import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type JsonObject, type NodeRun, openFlow, type RowOptions } from '@unroll/engine';
import { type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { nodeTypes } from '../node-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-fallback-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'ask.jinja2'), 'system:\nBe brief.\nuser:\n{{ q }}\n');

interface Ran {
  readonly node: NodeRun;
  /** What each server was asked: path and body. */
  readonly asked: Readonly<Record<'main' | 'standby' | 'azure', readonly { path: string; body: object }[]>>;
  readonly pieces: readonly string[];
}

interface Replies {
  readonly main: readonly ServerReply[];
  readonly standby?: readonly ServerReply[];
  readonly azure?: readonly ServerReply[];
}

/** Runs one llm node whose connection is `main`; `times: 1` where the test says nothing else. */
async function run(
  replies: Replies,
  retry: object,
  more: {
    readonly api?: string;
    readonly inputs?: object;
    readonly streams?: boolean;
    readonly template?: string;
  } = {},
): Promise<Ran> {
  await using main = await startOpenAiServer(replies.main);
  await using standby = await startOpenAiServer(replies.standby ?? []);
  await using azure = await startOpenAiServer(replies.azure ?? []);
  const secrets = { api_key: 'k' };
  const connections: Readonly<Record<string, Connection>> = {
    main: { name: 'main', type: 'open_ai', configs: { base_url: `${main.url}/v1` }, secrets },
    standby: { name: 'standby', type: 'open_ai', configs: { base_url: `${standby.url}/v1` }, secrets },
    azure: { name: 'azure', type: 'azure_open_ai', configs: { api_base: azure.url }, secrets },
  };
  const { api = 'chat', inputs = {}, template = 'ask.jinja2' } = more;
  const node = {
    name: 'ask',
    type: 'llm',
    source: { type: 'code', path: template },
    connection: 'main',
    api,
    retry: { times: 1, ...retry },
    inputs: { model: 'gpt-4o', q: 'Is it?', ...inputs },
  };
  const outputs = { answer: { type: 'string', reference: '${ask.output}' } };
  writeFileSync(join(folder, 'flow.dag.yaml'), JSON.stringify({ outputs, nodes: [node] }));
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const { flow, diagnostics } = await openFlow(
    { file: join(folder, 'flow.dag.yaml'), folder },
    {
      nodeTypes: nodeTypes({ clock }),
      connections: { find: (name) => connections[name], names: () => Object.keys(connections) },
      fingerprints: true,
    },
  );
  if (flow === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  await using opened = flow;
  const pieces: string[] = [];
  const options: RowOptions = {
    onEvent: (event) => void (event.type === 'text' && pieces.push(event.text)),
    ...(more.streams === true ? { streaming: { nodes: 'answers', tokens: false } } : {}),
  };
  const { nodes } = await opened.runRow({}, options);
  const [ended] = nodes;
  if (ended === undefined) throw new Error('bug: no node ran');
  const askedOf = ({ requests }: typeof main) => requests.map(({ path, body }) => ({ path, body }));
  return { node: ended, asked: { main: askedOf(main), standby: askedOf(standby), azure: askedOf(azure) }, pieces };
}

const yes: ServerReply = { message: { content: 'Yes.' } };
const down: ServerReply = { status: 503 };

test('once its tries are used up another connection is asked the same, and the record says who answered', async () => {
  const { node, asked } = await run({ main: [down, down], standby: [yes] }, { fallback: ['standby'] });
  expect(node).toMatchObject({ status: 'Completed', output: 'Yes.' });
  expect(asked.main.length).toBe(2);
  expect(asked.standby).toEqual([asked.main[0]]);
  expect(node.attempts?.map(({ error, fallback }) => [error?.code, fallback])).toEqual([
    ['InternalServerError', undefined],
    ['InternalServerError', undefined],
    [undefined, { connection: 'standby', model: 'gpt-4o' }],
  ]);
  expect(node.usage).toMatchObject({ totalTokens: 15, billedAs: { connectionType: 'open_ai', model: 'gpt-4o' } });
  expect(node.notKept).toBe('connection "standby" answered in the place of its own');
});

test('an answer of the own connection is recorded as ever, under a fingerprint of its own', async () => {
  const own = await run({ main: [yes] }, { fallback: ['standby'] });
  expect(own.node).toMatchObject({ status: 'Completed', output: 'Yes.' });
  expect(own.node).not.toHaveProperty('attempts');
  expect(own.node.usage).not.toHaveProperty('billedAs');
  expect(own.node).not.toHaveProperty('notKept');
  const other = await run({ main: [down], standby: [yes] }, { times: 0, fallback: ['standby'] });
  expect(other.node.fingerprint).not.toBe(own.node.fingerprint);
});

const spent = { message: 'You exceeded your quota.', type: 'insufficient_quota', code: 'insufficient_quota' };
const filtered = { message: 'The prompt was filtered.', code: 'content_filter', type: 'invalid_request_error' };
test.for<readonly [string, ServerReply, boolean]>([
  ['a quota that is spent', { status: 429, error: spent }, true],
  ['a model that is not there', { status: 404, error: { message: 'no such model', code: 'model_not_found' } }, true],
  ['a key that is refused', { status: 401 }, true],
  ['a connection that breaks off', { hangUp: true }, true],
  ['an answer that is none', { text: '<html>' }, true],
  ['a service that asks to wait an hour', { status: 429, headers: { 'retry-after': '3600' } }, true],
  ['a request that is wrong', { status: 400 }, false],
  ['a content filter', { status: 400, error: filtered }, false],
])('%s is passed on: %s', async ([, reply, isPassedOn]) => {
  const { node, asked } = await run({ main: [reply, reply], standby: [yes] }, { fallback: ['standby'] });
  expect([node.status, asked.standby.length]).toEqual(isPassedOn ? ['Completed', 1] : ['Failed', 0]);
});

test('each has its own model and the parameters of its type, in turn, and the last one tells why there is no answer', async () => {
  const fallback = [
    { connection: 'standby', model: 'gpt-4o-mini' },
    { connection: 'azure', deployment_name: 'mine' },
  ];
  const { node, asked } = await run(
    { main: [down], standby: [down], azure: [{ status: 400 }] },
    { times: 0, fallback },
  );
  expect(asked.standby).toMatchObject([{ path: '/v1/chat/completions', body: { model: 'gpt-4o-mini' } }]);
  expect(asked.azure).toMatchObject([
    { path: '/openai/deployments/mine/chat/completions?api-version=2024-02-01', body: { n: 1, temperature: 1 } },
  ]);
  expect([node.status, node.error?.code]).toEqual(['Failed', 'BadRequestError']);
  expect(node.attempts?.map(({ fallback: one }) => one?.model)).toEqual([undefined, 'gpt-4o-mini', 'mine']);
});

test.for([
  ['responses', { main: '/v1/responses', azure: '/openai/v1/responses' }],
  ['completion', { main: '/v1/completions', azure: '/openai/deployments/gpt-4o/completions?api-version=2024-02-01' }],
] as const)('what is asked through %s is passed on through it', async ([api, paths]) => {
  const { node, asked } = await run({ main: [down], azure: [yes] }, { times: 0, fallback: ['azure'] }, { api });
  expect(node).toMatchObject({ status: 'Completed', output: 'Yes.' });
  expect([asked.main[0]?.path, asked.azure[0]?.path]).toEqual([paths.main, paths.azure]);
});

test('without `times` a connection with another behind it is asked three times, the last eleven times', async () => {
  const none = Array.from({ length: 11 }, () => down);
  const { asked } = await run({ main: none, standby: none }, { times: undefined, fallback: ['standby'] });
  expect([asked.main.length, asked.standby.length]).toEqual([3, 11]);
});

test('a stream that broke off is passed on while none of it was handed on', async () => {
  const cut: ServerReply = { message: { content: 'Yes, it is.' }, cutAfter: 2 };
  const api = 'responses';
  const shown = await run({ main: [cut], standby: [yes] }, { times: 0, fallback: ['standby'] }, { api, streams: true });
  expect([shown.node.status, shown.asked.standby.length, shown.pieces.join('')]).toEqual(['Failed', 0, 'Yes,']);
  const silent = { ...cut, cutAfter: 1 };
  const passed = await run(
    { main: [silent], standby: [yes] },
    { times: 0, fallback: ['standby'] },
    { api, streams: true },
  );
  expect([passed.node.status, passed.pieces.join('')]).toEqual(['Completed', 'Yes.']);
  // The author asks for a stream and nobody sees it: what came of it is taken back.
  const inputs = { stream: true };
  const taken = await run({ main: [cut], standby: [yes] }, { times: 0, fallback: ['standby'] }, { api, inputs });
  expect([taken.node.status, taken.node.output]).toEqual(['Completed', 'Yes.']);
});

test('thoughts that one connection encrypted go to no other one', async () => {
  const call = { id: 'call_a', type: 'function', function: { name: 'find', arguments: '{}' } };
  const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } }];
  const reply: ServerReply = { message: { tool_calls: [call] }, reasoning: 'gAAAA' };
  const more = { api: 'responses', inputs: { model: 'o3', tools } };
  const own = await run({ main: [reply] }, { fallback: ['standby'] }, more);
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };
  expect((own.node.output as JsonObject)['tool_calls']).toEqual([{ ...call, reasoning: [thought] }]);
  const other = await run({ main: [down], standby: [reply] }, { times: 0, fallback: ['standby'] }, more);
  expect((other.node.output as JsonObject)['tool_calls']).toEqual([call]);
});

test('a conversation with such thoughts goes to another connection without them', async () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };
  const call = { id: 'call_a', type: 'function', function: { name: 'find', arguments: '{}' } };
  const calls = JSON.stringify([{ ...call, reasoning: [thought] }]);
  const template = `user:\nIs it?\nassistant:\n## tool_calls:\n${calls}\ntool:\n## tool_call_id:\ncall_a\n## content:\nYes.\n`;
  writeFileSync(join(folder, 'thought.jinja2'), template);
  const { asked } = await run(
    { main: [down], standby: [yes] },
    { times: 0, fallback: ['standby'] },
    { api: 'responses', template: 'thought.jinja2', inputs: { model: 'o3' } },
  );
  const types = (at: 'main' | 'standby') =>
    asked[at].flatMap(({ body }) => (body as { input: { type?: string }[] }).input.map(({ type }) => type));
  expect(types('main')).toEqual([undefined, 'reasoning', 'function_call', 'function_call_output']);
  expect(types('standby')).toEqual([undefined, 'function_call', 'function_call_output']);
});
