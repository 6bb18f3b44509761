import { randomBytes } from 'node:crypto';
import { startPostgres } from '@unroll/queue/testing';
import { expect, test } from 'vitest';
import { type EngineProcesses, engineProcesses } from '../../testing/engine-processes.ts';
import type { FlowProcess } from '../../testing/flow-process.ts';
import { writeFiles } from '../../testing/write-files.ts';

interface Row {
  readonly status: string;
  readonly outputs: object;
  readonly run: string;
  readonly error: { readonly code: string } | null;
}

interface Served {
  readonly process: FlowProcess;
  readonly url: string;
  readonly ask: (method: string, path: string, body?: object) => Promise<readonly [number, Row]>;
  /** Where a request will be that nobody waits for. */
  readonly begin: (inputs: object) => Promise<string>;
}

const key = 'key-of-clients-4711';
const at = ({ engine }: EngineProcesses): readonly string[] => ['--engine', engine.url];

async function served(there: EngineProcesses, flow: string, ...argv: readonly string[]): Promise<Served> {
  const process = there.flowWith(
    { ASK_KEY: key },
    'serve',
    flow,
    '--port',
    '0',
    '--api-key-env',
    'ASK_KEY',
    ...at(there),
    ...argv,
  );
  await process.said('http://127.0.0.1:');
  const [url = ''] = /http:\/\/\S+/.exec(process.text()) ?? [];
  const send = async (method: string, path: string, body?: object): Promise<Response> =>
    await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const ask = async (method: string, path: string, body?: object): Promise<readonly [number, Row]> => {
    const answer = await send(method, path, body);
    return [answer.status, (await answer.json()) as Row];
  };
  return {
    process,
    url,
    ask,
    async begin(inputs) {
      const answer = await send('POST', `/flows/${flow}/runs?wait=0`, inputs);
      expect([answer.status, (await answer.json()) as Row]).toMatchObject([202, { status: 'Running' }]);
      return answer.headers.get('location') ?? '';
    },
  };
}

/** What is told of a row until it has ended. */
async function eventsOf({ url }: Served, place: string): Promise<string> {
  const answer = await fetch(`${url}${place}/events`, { headers: { authorization: `Bearer ${key}` } });
  return await answer.text();
}

test('a request that nobody waits for runs on a worker, and a server that was started anew answers for it', {
  timeout: 240_000,
}, async () => {
  await using there = await engineProcesses(1);
  const first = await served(there, 'twice');
  const place = await first.begin({ n: 7 });
  expect(await first.ask('GET', place)).toMatchObject([202, { status: 'Running' }]);
  expect((await fetch(first.url + place)).status).toBe(401);
  await there.worker('one');
  await there.gate.whenAsked(1);
  first.process.child.kill('SIGKILL');
  const second = await served(there, 'twice');
  expect(await second.ask('GET', place)).toMatchObject([202, { status: 'Running' }]);
  const followed = eventsOf(second, place);
  there.gate.open();
  const events = await followed;
  expect(events.match(/^event: .*$/gm)).toEqual(['event: node-ended', 'event: node-ended', 'event: row-ended']);
  expect(await second.ask('GET', place)).toMatchObject([200, { status: 'Completed', outputs: { o: 15 } }]);
  expect(await second.ask('DELETE', place)).toMatchObject([409, { error: { code: 'RowEnded' } }]);
  const feedback = await fetch(`${second.url}/feedback`, {
    method: 'POST',
    body: 'good',
    headers: { authorization: `Bearer ${key}`, 'x-flow-run': place.slice('/runs/'.length) },
  });
  expect(feedback.status).toBe(200);
  // A request is recorded as any other row.
  const run = place.split('/')[2] ?? '';
  const other = await second.begin({ n: 1 });
  await second.ask('DELETE', other);
  const listed = async () => ((await second.ask('GET', '/runs'))[1] as unknown as { runs: readonly object[] }).runs;
  expect(await listed()).toMatchObject([
    { run: other.split('/')[2], flow: 'twice', failed: 0 },
    { run, flow: 'twice', rows: 1, failed: 0, started_at: expect.stringMatching(/Z$/) },
  ]);
  expect(await second.ask('GET', '/runs?limit=1')).toMatchObject([200, { runs: [{ run: other.split('/')[2] }] }]);
  expect((await there.run('pull', run)).code).toBe(0);
  expect(await there.rowsOf(run)).toEqual(['0 Completed {"o":15}']);
});

test('a request on a worker is given up, wrong inputs are told as in process, and runs of others are nobody’s business here', {
  timeout: 240_000,
}, async () => {
  await using there = await engineProcesses(1);
  await there.worker('one');
  const server = await served(there, 'twice', '--max-in-flight', '1', '--max-queue', '1');
  const place = await server.begin({ n: 1 });
  await there.gate.whenAsked(1);
  const second = await server.begin({ n: 2 });
  expect(await server.ask('POST', '/flows/twice/runs?wait=0', { n: 3 })).toMatchObject([
    503,
    { error: { code: 'TooManyRequests' } },
  ]);
  const followed = eventsOf(server, place);
  expect((await server.ask('DELETE', place))[0]).toBe(202);
  expect(await followed).toContain('"status":"Canceled"');
  expect(await server.ask('GET', place)).toMatchObject([200, { status: 'Canceled', error: { code: 'Canceled' } }]);
  there.gate.open();
  expect(await eventsOf(server, second)).toContain('"o":5');
  const wrong = await server.begin({ n: 'seven' });
  expect(await eventsOf(server, wrong)).toContain('row-ended');
  expect(await server.ask('GET', wrong)).toMatchObject([400, { status: 'Failed' }]);
  expect((await there.run('run', 'twice', '--data', 'n.jsonl', '--name', 'own', '--quiet')).code).toBe(0);
  expect(await server.ask('GET', '/runs/own/0')).toMatchObject([404, { error: { code: 'RowNotFound' } }]);
});

test('a server whose engine is away says so, and goes on telling of a row once it is there again', {
  timeout: 240_000,
}, async () => {
  await using postgres = await startPostgres();
  await using there = await engineProcesses(1, { server: postgres });
  const server = await served(there, 'twice');
  const place = await server.begin({ n: 7 });
  const followed = await fetch(`${server.url}${place}/events`, { headers: { authorization: `Bearer ${key}` } });
  await postgres.kill();
  const away = { error: { code: 'EngineUnreachable' } };
  for (const [method, path, body] of [
    ['POST', '/flows/twice/runs?wait=0', { n: 1 }],
    ['GET', place],
    ['DELETE', place],
    ['PUT', `${place}/labels`, { pass: true }],
    ['GET', '/runs'],
  ] as const)
    expect([path, await server.ask(method, path, body)]).toMatchObject([path, [503, away]]);
  there.gate.open();
  expect(await server.ask('POST', '/flows/twice/runs', { n: 1 })).toMatchObject([200, { outputs: { o: 3 } }]);
  await postgres.start();
  await there.worker('one');
  expect(await followed.text()).toContain('"o":15');
  expect(await server.ask('GET', '/runs/a%00b/0')).toMatchObject([404, { error: { code: 'RowNotFound' } }]);
});

const secretFlow = {
  'secret/flow.dag.yaml': `inputs: {token: {type: secret}}
outputs: {size: {type: int, reference: "\${size.output}"}}
nodes:
- {name: size, type: python, source: {type: code, path: size.ts}, inputs: {token: "\${inputs.token}"}}
`,
  'secret/size.ts': 'export const size = ({ token }: { token: string }) => token.length;\n',
};

test('secret inputs of requests go sealed; what cannot be kept out of an engine is refused before anything is served', {
  timeout: 240_000,
}, async () => {
  await using there = await engineProcesses(1);
  writeFiles(there.folder, secretFlow);
  const refusals = [
    [['secret'], 'the input "token" is a secret, and does not go to workers as it is'],
    [['twice', '--env', 'PIN=4711'], 'the value of PIN does not go to workers as it is'],
    [['twice', '--redact', 'inputs.n'], '--redact keeps inputs out of records of this server'],
    [['twice', '--record', 'errors'], '--record and --engine exclude each other'],
  ] as const;
  for (const [argv, message] of refusals) {
    const { code, stderr } = await there.run('serve', ...argv, '--port', '0', ...at(there));
    expect([argv, code, stderr]).toEqual([argv, 2, expect.stringContaining(message)]);
  }
  const sealing = { FLOW_ENGINE_KEY: randomBytes(32).toString('base64') };
  await there.flowWith(sealing, 'worker').said('waits for work');
  const process = there.flowWith(sealing, 'serve', 'secret', '--port', '0', ...at(there));
  await process.said('http://127.0.0.1:');
  const [url = ''] = /http:\/\/\S+/.exec(process.text()) ?? [];
  const answer = await fetch(`${url}/flows/secret/runs?wait=0`, { method: 'POST', body: '{"token": "tok-one-77"}' });
  const events = await (await fetch(`${url}${answer.headers.get('location')}/events`)).text();
  expect(events).toContain('"outputs":{"size":10}');
  const { database } = there.engine;
  const held = await database.query(`SELECT 1 FROM ${database.schema}.chunk c WHERE position($1 IN c::text) > 0`, [
    Buffer.from('tok-one').toString('hex'),
  ]);
  expect([held, events.includes('tok-')]).toEqual([[], false]);
});
