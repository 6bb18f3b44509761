import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { sendRaw } from '../testing/send-raw.ts';
import { type ServedWorld, serveFlows, startHeldAddress } from '../testing/served-world.ts';

/** Head and body of a request, with the lines ended as HTTP wants them. */
function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

const chunked = ['host: 127.0.0.1', 'content-type: application/json', 'transfer-encoding: chunked'];
const json = (length: number): readonly string[] => [
  'host: 127.0.0.1',
  'content-type: application/json',
  `content-length: ${length}`,
];
const many = Array.from({ length: 10_000 }, (_, at) => `x-${at}: 1`);
const local = 'host: 127.0.0.1';
const close = 'connection: close';
const notRead = 'This is no HTTP request that can be read.';

interface Answer {
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string };
}

function answerIn(said: string): Answer {
  const [, status = ''] = /^HTTP\/1\.1 (\d+) /.exec(said) ?? [];
  const body = said.slice(said.indexOf('\r\n\r\n') + 4);
  return { status: Number(status), ...(JSON.parse(body) as Pick<Answer, 'error'>) };
}

/** One for all that leaves no trace in it: each finds it as those before have left it. */
let shared: ServedWorld;
const maxBodyBytes = 200_000;
beforeAll(async () => {
  shared = await serveFlows(['double'], { maxBodyBytes });
});
afterAll(() => shared[Symbol.asyncDispose]());

/** The server answers as ever, tells nobody of anything, and nothing is under way. */
async function expectToGoOn({ server, notices, folder }: ServedWorld, said: string): Promise<void> {
  expect((await postJson(`${server.url}/score`, { n: 1 })).status).toBe(200);
  expect(notices).toEqual([]);
  expect(said).not.toContain(folder);
  expect(said).not.toContain('node_modules');
}

test.for<[what: string, request: string, status: number, code: string, message: string]>([
  ['what is no HTTP', 'hello\r\n\r\n', 400, 'BadRequest', notRead],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001', 400, 'BadRequest', notRead],
  ['an unknown method', rawRequest('BREW /flows HTTP/1.1', [local]), 400, 'BadRequest', notRead],
  ['ten thousand headers', rawRequest('GET /flows HTTP/1.1', [local, ...many]), 431, 'HeadersTooLarge', 'too large'],
  ['a header without an end', `GET /flows HTTP/1.1\r\nx: ${'y'.repeat(100_000)}`, 431, 'HeadersTooLarge', 'too large'],
  ['an address without an end', `GET /${'y'.repeat(100_000)}`, 431, 'HeadersTooLarge', 'too large'],
  ['a line break in a header', rawRequest('GET /flows HTTP/1.1', [local, 'x: a\nb']), 400, 'BadRequest', notRead],
  [
    'two lengths',
    rawRequest('POST /score HTTP/1.1', [...json(2), 'content-length: 9'], '{}'),
    400,
    'BadRequest',
    notRead,
  ],
  [
    'a length and chunks',
    rawRequest('POST /score HTTP/1.1', [...json(2), 'transfer-encoding: chunked'], '0\r\n\r\n'),
    400,
    'BadRequest',
    notRead,
  ],
  ['a negative length', rawRequest('POST /score HTTP/1.1', json(-1)), 400, 'BadRequest', notRead],
  ['a chunk of no length', rawRequest('POST /score HTTP/1.1', chunked, 'zz\r\n'), 400, 'BadRequest', notRead],
  ['no host', rawRequest('GET /flows HTTP/1.1', [close]), 400, 'BadRequest', 'Missing host header'],
  ['a host that is none', rawRequest('GET /flows HTTP/1.1', ['host: a b', close]), 400, 'BadRequest', 'no request'],
  [
    'a host with a path',
    rawRequest('GET /flows HTTP/1.1', ['host: 127.0.0.1/x', close]),
    400,
    'BadRequest',
    'no request',
  ],
  [
    'a rebinding host',
    rawRequest('GET /flows HTTP/1.1', ['host: evil.example', close]),
    403,
    'HostNotServed',
    'not served',
  ],
  [
    'a host that begins like this machine',
    rawRequest('GET /flows HTTP/1.1', ['host: 127.0.0.1.evil.example', close]),
    403,
    'HostNotServed',
    'not served',
  ],
  [
    'an address with another host',
    rawRequest('GET http://evil.example/flows HTTP/1.1', ['host: evil.example', close]),
    403,
    'HostNotServed',
    'not served',
  ],
  ['an asterisk for an address', rawRequest('GET * HTTP/1.1', [local, close]), 400, 'BadRequest', 'no request'],
  ['a backslash in a path', rawRequest('GET /\\flows HTTP/1.1', [local, close]), 400, 'BadRequest', 'no request'],
  [
    'an expectation',
    rawRequest('GET /flows HTTP/1.1', [local, 'expect: coffee', close]),
    417,
    'ExpectationFailed',
    '100-continue',
  ],
])(
  '%s: one clear answer in the form of all refusals, and the server goes on',
  async ([, request, status, code, message]) => {
    const said = await sendRaw(shared.server.url, request);
    expect(said).toMatch(/content-type: application\/json/i);
    expect(answerIn(said)).toMatchObject({ status, error: { code, message: expect.stringContaining(message) } });
    await expectToGoOn(shared, said);
  },
);

test.for([
  ['body', rawRequest('POST /score HTTP/1.1', json(100), '{"n":')],
  ['head', 'GET /flows HTTP/1.1\r\nhost: '],
] as const)('a %s that never comes whole: one clear answer in the same form', async ([, request]) => {
  await using world = await serveFlows(['double'], { receiveTimeoutMs: 2000 });
  const said = await sendRaw(world.server.url, request);
  expect(said).toMatch(/content-type: application\/json/i);
  const error = { code: 'RequestTimeout', message: expect.stringContaining('in time') };
  expect(answerIn(said)).toMatchObject({ status: 408, error });
  await expectToGoOn(world, said);
});

test.for<[what: string, behind: string, status: number]>([
  ['what is no HTTP', 'hello\r\n\r\n', 400],
  ['a chunk of no length', rawRequest('POST /score HTTP/1.1', chunked, 'zz\r\n'), 400],
  ['a head that never comes whole', 'GET /flows HTTP/1.1\r\nhost: ', 408],
])('%s behind two requests: these are answered first, each in its place', async ([, behind, status]) => {
  await using world = await serveFlows(['double'], { receiveTimeoutMs: 500 });
  const [first, second] = [1, 2].map((n) => rawRequest('POST /score HTTP/1.1', json(8), `{"n": ${n}}`));
  const said = await sendRaw(world.server.url, `${first}${second}${behind}`);
  expect(said.match(/HTTP\/1\.1 \d+|"twice":\d|"error"/g)).toEqual([
    'HTTP/1.1 200',
    '"twice":2',
    'HTTP/1.1 200',
    '"twice":4',
    `HTTP/1.1 ${status}`,
    '"error"',
  ]);
  await expectToGoOn(world, said);
});

test('checks of load balancers, in HTTP/1.0 without a host, are answered; what needs one in HTTP/1.1 is refused', async () => {
  await using named = await serveFlows(['double'], { hosts: ['flows.example'], key: 'a key of this server' });
  const statusOf = async ({ server }: ServedWorld, line: string) =>
    /^HTTP\/1\.1 (\d+)/.exec(await sendRaw(server.url, rawRequest(line, [close])))?.[1];
  for (const line of ['OPTIONS / HTTP/1.0', 'GET /health HTTP/1.0', 'HEAD /livez HTTP/1.0']) {
    expect([line, await statusOf(shared, line), await statusOf(named, line)]).toEqual([line, '200', '200']);
  }
  expect(await statusOf(named, 'GET /flows HTTP/1.0')).toBe('401');
  expect(await statusOf(named, 'GET /health HTTP/1.1')).toBe('400');
});

const deep = '['.repeat(100_000);

/** A text that is read as JSON, for an input that is an object. */
const nestedText = `${'{"a": '.repeat(2000)}1${'}'.repeat(2000)}`;

const noText = Buffer.from('{"n": 1, "more": {"a": "\xff"}}', 'latin1');

test.for<[what: string, path: string, body: string | Uint8Array, status: number, code: string]>([
  ['broken JSON', '/flows/double/runs', '{"n": ', 400, 'InvalidBody'],
  ['a list', '/flows/double/runs', '[1]', 400, 'InvalidBody'],
  ['a wrong type', '/flows/double/runs', '{"n": "x"}', 400, 'InputTypeError'],
  ['a missing input', '/flows/double/runs', '{}', 400, 'InputNotFound'],
  [
    'an input nested too deep',
    '/flows/double/runs',
    `{"n": 1, "more": ${JSON.stringify(nestedText)}}`,
    400,
    'InputTooDeep',
  ],
  ['half a character', '/flows/double/runs', '{"n": "\\ud800"}', 400, 'InputTypeError'],
  ['bytes that are no text', '/flows/double/runs', noText, 400, 'InvalidBody'],
  ['bytes that are no text, as a chat model is asked', '/v1/chat/completions', noText, 400, 'InvalidBody'],
  ['bytes that are no text, as Prompt flow is asked', '/score', noText, 400, 'UserError'],
  ['nesting without end', '/flows/double/runs', `{"n": 1, "more": ${deep}`, 400, 'InvalidBody'],
  ['broken JSON, as Prompt flow is asked', '/score', '{"n": ', 400, 'UserError'],
  ['a list, as Prompt flow is asked', '/score', '[1]', 400, 'UserError'],
  ['null, as Prompt flow is asked', '/score', 'null', 400, 'UserError'],
  ['a wrong type, as Prompt flow is asked', '/score', '{"n": "x"}', 400, 'UserError'],
  ['broken JSON, as a chat model is asked', '/v1/chat/completions', '{"n": ', 400, 'invalid_request'],
  ['no messages', '/v1/chat/completions', '{"model": "double"}', 400, 'invalid_request'],
  ['a message of no form', '/v1/chat/completions', '{"model": "double", "messages": [7]}', 400, 'invalid_request'],
  [
    'an unknown model',
    '/v1/chat/completions',
    '{"model": "__proto__", "messages": [{"role": "user", "content": "1"}]}',
    404,
    'model_not_found',
  ],
  ['an unknown flow', '/flows/none/runs', '{}', 404, 'FlowNotFound'],
  ['an unknown flow by a name of objects', '/flows/__proto__/runs', '{}', 404, 'FlowNotFound'],
  ['a path that climbs', '/flows/..%2fdouble/runs', '{"n": 1}', 404, 'FlowNotFound'],
  ['a path that climbs twice', '/flows/..%252f..%252fdouble/runs', '{"n": 1}', 404, 'FlowNotFound'],
  ['a body over the limit', '/flows/double/runs', `{"n": 1, "more": "${'x'.repeat(300_000)}"}`, 413, 'BodyTooLarge'],
  ['a body over the limit, to nobody', '/nowhere', 'x'.repeat(300_000), 413, 'BodyTooLarge'],
])('%s: %s', async ([, path, body, status, code]) => {
  const answer = await postJson(`${shared.server.url}${path}`, body);
  const text = await answer.text();
  expect([answer.status, JSON.parse(text)]).toMatchObject([status, { error: { code } }]);
  await expectToGoOn(shared, text);
});

test('what is no message of the protocol is refused in its words', async () => {
  for (const body of [
    '{"n": ',
    '[]',
    'null',
    '{"jsonrpc": "2.0"}',
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}',
    deep,
  ]) {
    const answer = await postJson(`${shared.server.url}/mcp`, body, { accept: 'application/json, text/event-stream' });
    const text = await answer.text();
    expect(text, body.slice(0, 60)).toMatch(/"error":\{"code":-\d+|^$/);
    expect(answer.status, body.slice(0, 60)).toBeLessThan(500);
    await expectToGoOn(shared, text);
  }
});

test('a wrong key tried ten thousand times: refused each time, and the right one is taken', {
  timeout: 120_000,
}, async () => {
  const key = 'the-key-of-this-server';
  await using world = await serveFlows(['double'], { key });
  /** Asks with all of them on one connection. */
  const ask = async (given: readonly string[]): Promise<readonly number[]> => {
    const requests = given.map((one, at) =>
      rawRequest('GET /flows HTTP/1.1', [local, `authorization: ${one}`, ...(at === given.length - 1 ? [close] : [])]),
    );
    const said = await sendRaw(world.server.url, requests.join(''));
    expect(said).not.toContain(key);
    return [...said.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  };
  const wrong = (at: number): string =>
    [`Bearer ${key}${at}`, `Bearer ${key.slice(0, at % key.length)}`, `Basic ${key}`, `bearer${key}`, key][at % 5] ??
    '';
  for (let at = 0; at < 10_000; at += 100) {
    expect(await ask(Array.from({ length: 100 }, (_, one) => wrong(at + one)))).toEqual(Array(100).fill(401));
  }
  expect(await ask([`Bearer ${key}`])).toEqual([200]);
  expect(world.notices).toEqual([]);
});

test('__proto__ and other names of objects are names like any other, on every route', async () => {
  const { url } = shared.server;
  const hostile =
    '{"n": 1, "__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "toString": 1}';
  const asked = [
    postJson(`${url}/score`, hostile),
    postJson(`${url}/flows/double/runs`, hostile),
    postJson(
      `${url}/v1/chat/completions`,
      `{"model": "double", "messages": [{"role": "user", "content": "4"}], "inputs": ${hostile}, "__proto__": {"polluted": 1}}`,
    ),
    postJson(
      `${url}/mcp`,
      `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "double", "arguments": ${hostile}}}`,
      { accept: 'application/json, text/event-stream' },
    ),
    postJson(`${url}/feedback`, hostile),
  ];
  for (const answer of await Promise.all(asked))
    expect([answer.status, await answer.text()]).toMatchObject([200, expect.anything()]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('a client that is gone in mid-stream, and one that says no more, leave nothing behind', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait', 'double'], { maxInFlight: 1, maxQueue: 0 });
  const { host, hostname, port } = new URL(world.server.url);
  const body = JSON.stringify({ url: held.url });
  const request = rawRequest(
    'POST /flows/wait/runs HTTP/1.1',
    [`host: ${host}`, 'content-type: application/json', 'accept: text/event-stream', `content-length: ${body.length}`],
    body,
  );
  for (let times = 1; times <= 3; times += 1) {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    await new Promise((resolve) => socket.once('data', resolve));
    await held.asked(times);
    socket.resetAndDestroy();
    await held.left(times);
  }
  const ran = async (): Promise<number> => (await postJson(`${world.server.url}/flows/double/runs`, { n: 1 })).status;
  let status = await ran();
  // The row of a client that left ends a moment after its node was told to.
  while (status === 503) status = await ran();
  expect(status).toBe(200);
  expect(world.notices).toEqual([]);
});
