import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { sendRaw } from '../testing/send-raw.ts';
import { type ServedWorld, serveFlows, startHeldAddress } from '../testing/served-world.ts';

const json = { 'content-type': 'application/json' };

/** What `fetch` sends no other than its own. */
function statusWith(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

async function recordedRows(world: ServedWorld, run: string): Promise<readonly unknown[]> {
  await world.server.close();
  await using record = await openProject(world.folder, { runsFolder: world.host.runsFolder }).runs.open(run);
  const rows: unknown[] = [];
  for await (const batch of record.rows()) rows.push(...batch);
  return rows;
}

test('flows are listed and run, and each request is a row of the day’s run', async () => {
  await using world = await serveFlows(['double', 'wait']);
  const { url } = world.server;
  const listed = await (await fetch(`${url}/flows`)).json();
  expect(listed).toMatchObject({
    flows: [
      { name: 'double', inputs: [{ name: 'n', type: 'int', description: 'a number' }, { name: 'more' }] },
      { name: 'wait' },
    ],
  });
  const answers = [
    await postJson(`${url}/flows/double/runs`, { n: 2 }),
    await postJson(`${url}/flows/double/runs`, { n: 5 }),
  ];
  const rows = await Promise.all(answers.map((answer) => answer.json()));
  const { run } = rows[0] as { readonly run: string };
  expect(rows).toEqual([
    { status: 'Completed', outputs: { twice: 4, more: {} }, error: null, run, line: 0 },
    { status: 'Completed', outputs: { twice: 10, more: {} }, error: null, run, line: 1 },
  ]);
  expect(answers.map(({ headers }) => headers.get('x-flow-run'))).toEqual([`${run}/0`, `${run}/1`]);
  expect(await (await fetch(`${url}/runs/${run}/1`)).json()).toEqual(rows[1]);
  expect((await fetch(`${url}/score`, { method: 'POST' })).status).toBe(404);
  expect(await recordedRows(world, run)).toMatchObject([
    { line: 0, inputs: { n: 2 } },
    { line: 1, inputs: { n: 5 }, outputs: { twice: 10 } },
  ]);
  expect(world.notices).toEqual([]);
});

test('events come as they happen, the row last', async () => {
  await using world = await serveFlows(['double']);
  const answer = await postJson(`${world.server.url}/flows/double/runs`, { n: 4 }, { accept: 'text/event-stream' });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('x-accel-buffering')).toBe('no');
  const events = (await answer.text()).trim().split('\n\n');
  expect(events.map((event) => event.split('\n')[0])).toEqual([
    'event: node-started',
    'event: node-ended',
    'event: row-ended',
  ]);
  expect(JSON.parse(events[2]?.split('data: ')[1] ?? '')).toMatchObject({
    status: 'Completed',
    outputs: { twice: 8 },
    line: 0,
  });
});

test('?wait=0 is answered at once; the row is asked for later', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait']);
  const { url } = world.server;
  const started = await postJson(`${url}/flows/wait/runs?wait=0`, { url: held.url });
  expect(started.status).toBe(202);
  const place = `${url}${started.headers.get('location')}`;
  await held.asked(1);
  const during = await fetch(place);
  expect([during.status, await during.json()]).toMatchObject([202, { status: 'Running' }]);
  held.release();
  let row = await fetch(place);
  while (row.status === 202) row = await fetch(place);
  expect(await row.json()).toMatchObject({ status: 'Completed', outputs: { said: 'released' } });
});

test('errors tell what is wrong, and not where things lie', async () => {
  await using world = await serveFlows(['double']);
  const { url } = world.server;
  for (const path of ['/flows/double/runs', '/score']) {
    const answer = await postJson(`${url}${path}`, { n: 3 });
    const text = await answer.text();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(text).toContain('no way to double 3 in ');
    expect(text).not.toContain(world.folder);
  }
});

test.for<[what: string, path: string, body: string, status: number, said: string]>([
  ['a static path that climbs', '/static/..%2f..%2fapp.ts', '', 404, ''],
  ['an unknown row', '/runs/none/0', '', 404, ''],
])('%s: one clear answer, and the server goes on', async ([, path, body, status, said]) => {
  await using world = await serveFlows(['double', 'wait']);
  const { url } = world.server;
  const answer = await postJson(`${url}${path}`, body);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toContain(said);
  expect((await postJson(`${url}/flows/double/runs`, { n: 1 })).status).toBe(200);
});

test('a key is asked for, but for what tells of the process alone', async () => {
  await using world = await serveFlows(['double'], { key: 'a-long-key' });
  const { url } = world.server;
  const asked = async (authorization?: string): Promise<number> =>
    (await fetch(`${url}/flows`, authorization === undefined ? {} : { headers: { authorization } })).status;
  expect(await asked()).toBe(401);
  const wrong = await Promise.all(Array.from({ length: 200 }, (_, at) => asked(`Bearer a-long-ke${at}`)));
  expect(new Set(wrong)).toEqual(new Set([401]));
  expect(await asked('Bearer a-long-key')).toBe(200);
  for (const path of ['/health', '/livez', '/readyz']) expect((await fetch(`${url}${path}`)).status).toBe(200);
  for (const path of ['/score', '/flows/double/runs'])
    expect((await postJson(`${url}${path}`, { n: 1 })).status).toBe(401);
});

test('more time for a request than a timer can wait for is no less', async () => {
  await using world = await serveFlows(['double'], { requestTimeoutMs: 2 ** 31 });
  expect((await postJson(`${world.server.url}/flows/double/runs`, { n: 1 })).status).toBe(200);
});

test('settings that cannot be are told by their names', async () => {
  await expect(serveFlows(['double'], { port: 99_999, maxQueue: 0.5 })).rejects.toThrow(
    'port: must be at most 65535, not 99999; maxQueue: must be a whole number, not 0.5',
  );
});

test('inputs that the flow has not are told', async () => {
  await using world = await serveFlows(['double']);
  const url = `${world.server.url}/flows/double/runs`;
  const told = async (body: unknown, headers = {}): Promise<string | null> =>
    (await postJson(url, body, headers)).headers.get('x-flow-passed-over');
  expect(await told({ n: 1, mroe: {}, 質問: 'x' })).toBe('mroe, ??');
  expect(await told({ n: 1, mroe: {} }, { accept: 'text/event-stream' })).toBe('mroe');
  expect(await told({ n: 1, more: {} })).toBe(null);
});

test('inputs that the flow has not are told on all routes', async () => {
  await using world = await serveFlows(['double']);
  const { url } = world.server;
  const given = { n: 1, mroe: {} };
  const told = async (path: string, body: unknown): Promise<string | null> =>
    (await postJson(`${url}${path}`, body)).headers.get('x-flow-passed-over');
  expect(await told('/score', given)).toBe('mroe');
  expect(await told('/score', { n: 3, mroe: {} })).toBe('mroe');
  expect(await told('/score', { n: 1 })).toBe(null);
  const messages = [{ role: 'user', content: '4' }];
  const chat = (inputs: object): Promise<string | null> =>
    told('/v1/chat/completions', { model: 'double', messages, inputs });
  expect(await chat({ mroe: {} })).toBe('inputs.mroe');
  expect(await chat({ n: 5 })).toBe('inputs.n');
  expect(await chat({ more: {} })).toBe(null);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'double', arguments: given } };
  const answer = await postJson(`${url}/mcp`, call, { accept: 'application/json, text/event-stream' });
  expect(await answer.text()).toContain('"x-flow-passed-over":"mroe"');
});

test.for([
  ['9', 400],
  ['true', 400],
  ['', 400],
  ['0&wait=1', 400],
  ['1', 200],
  ['0', 202],
] as const)('?wait=%s is answered %i', async ([wait, status]) => {
  await using world = await serveFlows(['double']);
  const answer = await postJson(`${world.server.url}/flows/double/runs?wait=${wait}`, { n: 1 });
  expect(answer.status).toBe(status);
  if (status !== 400) return;
  const message = 'wait must be 0 (answered at once) or 1 (answered with the row).';
  expect(await answer.json()).toEqual({ error: { code: 'InvalidQuery', message } });
});

test('parameters of an address that mean nothing are told', async () => {
  await using world = await serveFlows(['double']);
  const answer = await postJson(`${world.server.url}/flows/double/runs?wiat=0&x=1`, { n: 1, mroe: 1 });
  expect(answer.headers.get('x-flow-passed-over')).toBe('mroe, ?wiat, ?x');
});

test('where others can reach it a key is needed', async () => {
  await expect(serveFlows(['double'], { host: '0.0.0.0' })).rejects.toThrow('a key is needed');
});

test('a host that is none of this machine is not served, and pages of other origins only where they may', async () => {
  await using world = await serveFlows(['double'], { hosts: ['flows.example'], origins: ['https://app.example'] });
  const { url } = world.server;
  const { port } = new URL(url);
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, 'flows.example', 'rebound.example', `[::1]:${port}`];
  const statuses = await Promise.all(hosts.map((host) => statusWith(`${url}/flows`, { host })));
  expect(statuses).toEqual([200, 200, 200, 403, 200]);
  const allowed = async (origin: string): Promise<string | null> =>
    (await fetch(`${url}/flows`, { headers: { origin } })).headers.get('access-control-allow-origin');
  expect(await allowed('https://app.example')).toBe('https://app.example');
  expect(await allowed('https://other.example')).toBe(null);
});

test.each<readonly [string, string[], string | undefined, number]>([
  ['a page of another site', [], 'https://evil.example', 403],
  ['a page without an origin, a file or a frame', [], 'null', 403],
  ['a page of another port', [], 'http://127.0.0.1:1', 403],
  ['a page that may ask', ['https://app.example'], 'https://app.example', 200],
  ['a page beside one that may ask', ['https://app.example'], 'https://evil.example', 403],
  ['any page, where all may ask', ['*'], 'https://evil.example', 200],
  ['the page of the server itself', [], 'own', 200],
  ['a program', [], undefined, 200],
])('without a key, %s: what needs no leave of the browser is not run for it', async (_, origins, origin, status) => {
  await using world = await serveFlows(['double'], { origins });
  const { url } = world.server;
  const headers = {
    'content-type': 'text/plain',
    ...(origin === undefined ? {} : { origin: origin === 'own' ? new URL(url).origin : origin }),
  };
  const answer = await fetch(`${url}/score`, { method: 'POST', body: '{"n": 1}', headers });
  expect(answer.status).toBe(status);
  if (status === 403) expect(await answer.text()).toContain('--cors');
});

test('a body over the limit is not read, told or counted', async () => {
  await using world = await serveFlows(['double'], { maxBodyBytes: 1000 });
  const { url } = world.server;
  const large = JSON.stringify({ n: 1, more: { text: 'x'.repeat(2000) } });
  expect((await postJson(`${url}/score`, large)).status).toBe(413);
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(large));
      controller.close();
    },
  });
  const streamed = { method: 'POST', body: chunks, duplex: 'half', headers: json } as RequestInit;
  expect((await fetch(`${url}/score`, streamed)).status).toBe(413);
  expect((await postJson(`${url}/score`, { n: 1 })).status).toBe(200);
});

test('so many run, so many wait, the others are told to come again', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait'], { maxInFlight: 2, maxQueue: 1 });
  const ask = (): Promise<Response> => postJson(`${world.server.url}/flows/wait/runs`, { url: held.url });
  const running = [ask(), ask()];
  await held.asked(2);
  const [first, second] = [ask(), ask()];
  const refused = await Promise.race([first, second]);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  held.release();
  const statuses = (await Promise.all([...running, first, second])).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 503]);
});

test('a request that takes too long is stopped', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait'], { requestTimeoutMs: 300 });
  for (const path of ['/score', '/flows/wait/runs']) {
    const answer = await postJson(`${world.server.url}${path}`, { url: held.url });
    expect(answer.status).toBe(504);
    expect(await answer.text()).toMatch(/took longer than 0\.3 s/);
  }
});

test.for(['application/json', 'text/event-stream'])('a client that goes away stops its nodes (%s)', async (accept) => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait']);
  const { url } = world.server;
  const leave = new AbortController();
  const asked = fetch(`${url}/flows/wait/runs`, {
    method: 'POST',
    headers: { ...json, accept },
    body: JSON.stringify({ url: held.url }),
    signal: leave.signal,
  }).then((answer) => answer.text());
  await held.asked(1);
  leave.abort();
  await expect(asked).rejects.toThrow();
  await held.left(1);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test('when it is to end, what is under way is finished and nothing new begins', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait']);
  const { url } = world.server;
  const underWay = postJson(`${url}/flows/wait/runs`, { url: held.url });
  await held.asked(1);
  const closed = world.server.close();
  const [ready, refused] = await Promise.all([fetch(`${url}/readyz`), postJson(`${url}/score`, { url: held.url })]);
  expect([ready.status, refused.status, refused.headers.get('retry-after')]).toEqual([503, 503, '1']);
  held.release();
  const answer = await underWay;
  expect([answer.status, await answer.json()]).toMatchObject([200, { outputs: { said: 'released' } }]);
  await closed;
  await expect(fetch(`${url}/livez`)).rejects.toThrow();
});

test('what was asked on an open connection when it is to end is answered, and told that no more is', async () => {
  await using world = await serveFlows(['double']);
  const socket = connect(Number(new URL(world.server.url).port), '127.0.0.1');
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const closed = world.server.close();
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n.*"draining"/s);
  await closed;
});

test('what takes longer than the server waits at its end is stopped, answered, recorded and told', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait'], { drainMs: 0, maxInFlight: 2 });
  const { url } = world.server;
  const ask = (headers = {}) => postJson(`${url}/flows/wait/runs`, { url: held.url }, headers);
  const accepted = await postJson(`${url}/flows/wait/runs?wait=0`, { url: held.url });
  const { run } = (await accepted.json()) as { readonly run: string };
  await held.asked(1);
  const answered = ask();
  await held.asked(2);
  const streamed = await ask({ accept: 'text/event-stream' });
  const closed = world.server.close();
  const answer = await answered;
  expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'Draining' } }]);
  expect(await streamed.text()).toContain('The server is about to end.');
  await closed;
  await held.left(2);
  const stopped = { status: 'Canceled', inputs: { url: held.url } };
  expect(await recordedRows(world, run)).toMatchObject([stopped, stopped]);
  const message = 'stopped at the end: 3 requests that took longer than 0 s';
  expect(world.notices).toContainEqual({ kind: 'warning', message });
});

test('what cannot be told is not recorded: none, or what failed alone', async () => {
  await using none = await serveFlows(['double'], { recorded: 'none' });
  const unrecorded = await postJson(`${none.server.url}/flows/double/runs`, { n: 1 });
  expect(await unrecorded.json()).toMatchObject({ run: null, line: null });
  expect((await postJson(`${none.server.url}/flows/double/runs?wait=0`, { n: 1 })).status).toBe(400);
  await using errors = await serveFlows(['double'], { recorded: 'errors' });
  const url = `${errors.server.url}/flows/double/runs`;
  await postJson(url, { n: 1 });
  const { run } = (await (await postJson(url, { n: 3 })).json()) as { readonly run: string };
  expect(await recordedRows(errors, run)).toMatchObject([{ status: 'Failed', inputs: { n: 3 } }]);
});

test('two thousand connections at once are answered, each', { timeout: 120_000 }, async () => {
  await using world = await serveFlows(['double'], { maxInFlight: 8, maxQueue: 2000 });
  // By fetch, asking takes as much of the processor as answering.
  const ask = async (n: number): Promise<unknown> => {
    const body = JSON.stringify({ n: 2 * n });
    const head = ['POST /score HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json', 'connection: close'];
    const said = await sendRaw(world.server.url, [...head, `content-length: ${body.length}`, '', body].join('\r\n'));
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    return JSON.parse(said.slice(said.indexOf('\r\n\r\n')));
  };
  const answers = await Promise.all(Array.from({ length: 2000 }, (_, n) => ask(n)));
  expect(answers).toEqual(Array.from({ length: 2000 }, (_, n) => ({ twice: 4 * n, more: {} })));
});

test('the page asks beside itself, so that a proxy may serve it below a path', async () => {
  await using world = await serveFlows(['double']);
  const files = ['/', '/static/index.js'].map(async (path) => (await fetch(`${world.server.url}${path}`)).text());
  const asked = (await Promise.all(files)).flatMap((text) =>
    Array.from(text.matchAll(/(?:href=|src=|fetch\()["'`]([^"'`]*)/g), ([, address]) => address),
  );
  expect(asked).toContain('flows');
  expect(asked.filter((address) => address?.startsWith('/'))).toEqual([]);
});
