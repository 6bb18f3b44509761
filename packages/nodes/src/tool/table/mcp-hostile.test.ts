import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, flood, hostileServer, json, listen, result } from '../../testing/hostile-mcp-server.ts';
import { testTable } from '../../testing/test-table.ts';

function tableOf(url: string, key = 'sk-secret', seconds = 2) {
  return testTable(
    { 'tools.yaml': `- {mcp: {name: test, url: '${url}', connection: key}, allow: [bad, good], timeout: ${seconds}}` },
    { connections: [{ name: 'key', type: 'custom', configs: {}, secrets: { api_key: key } }] },
  );
}

const events = { 'content-type': 'text/event-stream' };
const notice = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n';
const megabyte = 'x'.repeat(2 ** 20);

test.for<{ name: string; bad: Answer; told: { code: string; message?: RegExp } }>([
  {
    name: 'events without end',
    bad: (_, response) => flood(response.writeHead(200, events), notice.repeat(1000)),
    told: { code: 'MCP_FAILED', message: /a stream of more than 20000 lines/ },
  },
  {
    name: 'an event without end',
    bad: (_, response) => {
      response.writeHead(200, events).write('data: ');
      flood(response, megabyte);
    },
    told: { code: 'MCP_FAILED', message: /the answer is larger than the 33554432 bytes/ },
  },
  {
    name: 'a message without end',
    bad: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('"');
      flood(response, megabyte);
    },
    told: { code: 'MCP_FAILED', message: /the answer is larger than the 33554432 bytes/ },
  },
  {
    name: 'the answer to another request',
    bad: (asked, response) =>
      json(response, result({ ...asked, id: 999 }, { content: [{ type: 'text', text: 'for another' }] })),
    told: { code: 'TIMEOUT' },
  },
  {
    name: 'the id as a text of code',
    bad: (_, response) => json(response, '{"jsonrpc":"2.0","id":"__proto__","result":{"content":[]}}'),
    told: { code: 'TIMEOUT' },
  },
  {
    name: 'no answer at all',
    bad: () => undefined,
    told: { code: 'TIMEOUT' },
  },
  {
    name: 'JSON that nests 100,000 deep',
    bad: (asked, response) =>
      json(response, `{"jsonrpc":"2.0","id":${asked.id},"result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    told: { code: 'MCP_FAILED' },
  },
  {
    name: 'an answer with bytes that are no UTF-8',
    bad: (asked, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from(result(asked, { content: [{ type: 'text', text: 'caf\u00e9' }] }), 'latin1')),
    told: { code: 'MCP_FAILED', message: /bytes that are no UTF-8/ },
  },
  {
    name: 'an event with bytes that are no UTF-8',
    bad: (asked, response) =>
      response
        .writeHead(200, events)
        .end(Buffer.from(`data: ${result(asked, { content: [{ type: 'text', text: 'caf\u00e9' }] })}\n\n`, 'latin1')),
    told: { code: 'MCP_FAILED', message: /bytes that are no UTF-8/ },
  },
  {
    name: 'a stream that breaks off',
    bad: (_, response) => void response.writeHead(200, events).write(notice, () => response.destroy()),
    told: { code: 'MCP_FAILED' },
  },
  {
    name: 'no content',
    bad: (asked, response) => json(response, result(asked, { content: 'no list' })),
    told: {
      code: 'MCP_FAILED',
      message: /^it answered with what the protocol does not know: content must be a list$/,
    },
  },
  {
    name: 'no message',
    bad: (_, response) => json(response, 'null'),
    told: { code: 'MCP_FAILED', message: /^it answered with what the protocol does not know$/ },
  },
])('what a hostile server answers is a failure of its call: $name', async ({ bad, told }) => {
  const { url } = await hostileServer({ bad });
  await using table = tableOf(url, 'sk-secret', told.code === 'TIMEOUT' ? 2 : 20);
  expect(await table.call('bad', {})).toMatchObject({
    ok: false,
    error: { ...told, message: expect.stringMatching(told.message ?? /./) },
  });
  expect(await table.call('good', {})).toEqual({ ok: true, content: 'fine' });
});

test.for([301, 302, 303, 307, 308])(
  'a redirect (%d) to another host is told, and nothing is sent there',
  async (status) => {
    const elsewhere: unknown[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(request.headers);
      response.end();
    });
    const { url } = await hostileServer({
      bad: (_, response) => response.writeHead(status, { location: `${other}?key=sk-secret` }).end(),
    });
    await using table = tableOf(url);
    const answer = await table.call('bad', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'MCP_FAILED', message: expect.stringContaining(other) } });
    expect(JSON.stringify(answer)).not.toContain('sk-secret');
    expect(elsewhere).toEqual([]);
  },
);

test('a key that would write a header of its own is refused, and not told', async () => {
  const seen: unknown[] = [];
  const url = await listen((request, response) => {
    seen.push(request.headers);
    response.writeHead(500).end();
  });
  await using table = tableOf(url, 'sk-secret\r\nx-admin: yes');
  const error = await table.open().catch((thrown: unknown) => thrown as Error);
  expect(String(error)).toContain('MCP server "test" cannot be asked');
  expect(String(error)).not.toContain('sk-secret');
  expect(seen).toEqual([]);
});

test.for([0, 999_999_999_999])(
  'streams that break off again and again are asked for a bounded number of times: retry %d',
  async (retry) => {
    const breakOff: Answer = (_, response) =>
      response.writeHead(200, events).end(`retry: ${retry}\nid: again\ndata: \n\n`);
    const { url, gets } = await hostileServer({ bad: breakOff, stream: breakOff });
    await using table = tableOf(url);
    expect(await table.call('bad', {})).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    const asked = gets.length;
    expect(asked).toBeLessThanOrEqual(20);
    expect(await table.call('good', {})).toEqual({ ok: true, content: 'fine' });
  },
);

test('thousands of requests of a server in one answer are not all answered, and told once', async () => {
  const pings = Array.from({ length: 9000 }, (_, at) => `data: {"jsonrpc":"2.0","id":${at},"method":"ping"}\n\n`);
  const bad: Answer = (asked, response) =>
    response.writeHead(200, events).end(`${pings.join('')}data: ${result(asked, { content: [] })}\n\n`);
  const { url, answered } = await hostileServer({ bad });
  await using table = tableOf(url, 'sk-secret', 20);
  expect(await table.call('bad', {})).toEqual({ ok: true, content: '' });
  expect(await table.call('good', {})).toEqual({ ok: true, content: 'fine' });
  expect(answered()).toBeGreaterThan(0);
  expect(answered()).toBeLessThan(1000);
  expect(table.printed).toEqual(['MCP server "test" asks more than 20 things at a time; no more are answered\n']);
});

test.for([
  ['alone', []],
  ['beside a blank text', [{ type: 'text', text: ' \n' }]],
] as const)('what a tool answers as data %s is given as JSON', async ([, content]) => {
  const bad: Answer = (asked, response) => json(response, result(asked, { content, structuredContent: { sum: 3 } }));
  const { url } = await hostileServer({ bad });
  await using table = tableOf(url);
  expect(await table.call('bad', {})).toEqual({ ok: true, content: '{"sum":3}' });
});

test('a wish to wait for ages is not followed, and told once', async () => {
  const breakOff: Answer = (_, response) =>
    response.writeHead(200, events).end('retry: 999999999999\nid: again\ndata: \n\n'.repeat(2));
  const { url, gets } = await hostileServer({ bad: breakOff, stream: breakOff });
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  await using table = tableOf(url);
  await table.call('bad', {});
  await table.call('bad', {});
  expect(gets.length).toBeGreaterThan(0);
  expect(table.printed).toEqual([
    'MCP server "test" asks to wait 999999999999 ms before a stream is asked for again; 1000 ms are waited\n',
  ]);
  expect(warned).toEqual([]);
});

test.for([
  ['initialize', 'the handshake did not end within 2 s'],
  ['notifications/initialized', 'the handshake did not end within 2 s'],
  ['tools/list', 'the list of its tools did not end within 2 s'],
] as const)('a server that says nothing to %s is given up after the time that is written', async ([silent, told]) => {
  const { url } = await hostileServer({ silentTo: silent, hasMorePages: true });
  await using table = tableOf(url);
  await expect(table.open()).rejects.toThrow(`MCP server "test" cannot be asked: ${told}`);
});

test('pages that come slowly, one after another, are given up after the time that is written', async () => {
  const { url } = await hostileServer({ hasMorePages: true });
  const slow = await listen(async (request, response) => {
    const body = await text(request);
    const isList = body.includes('tools/list');
    const answer = await fetch(url, { method: request.method ?? 'POST', body: body || null });
    if (isList) await new Promise((resolve) => setTimeout(resolve, 300));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await using table = tableOf(slow);
  await expect(table.open()).rejects.toThrow('the list of its tools did not end within 2 s');
});

test('two tools of one name are told, where the flow allows it, and the first is offered', async () => {
  const listed = ['good', 'bad', 'good', 'other', 'other'];
  const { url } = await hostileServer({
    tools: listed.map((name, at) => ({ name, description: `number ${at}`, inputSchema: { type: 'object' } })),
  });
  await using table = tableOf(url);
  const { tools, warnings } = await table.open();
  expect(tools.map(({ description }) => description)).toEqual(['number 1', 'number 0']);
  expect(warnings).toEqual(['MCP server "test" lists 2 tools of the name "good": the first is offered']);
});

test('a tool that is described by no JSON Schema is told by its name, as no mistake of ours', async () => {
  const n = { $ref: '#/definitions/n' };
  const inputSchema = { type: 'object', properties: { n }, definitions: { n } };
  const { url } = await hostileServer({ tools: ['bad', 'good'].map((name) => ({ name, inputSchema })) });
  await using table = tableOf(url);
  await expect(table.open()).rejects.toMatchObject({
    error: {
      code: 'InvalidToolSchema',
      message: expect.stringMatching(/^the arguments of tool "bad" are .* without end$/),
    },
  });
});

test('a tool that is described wrongly is no bar to the others, and is told by its name where it is allowed', async () => {
  const inputSchema = { type: 'object', properties: { any: true, none: false, n: { type: 'integer' } } };
  const wrong = { name: 'wrong', inputSchema: { type: 'string' } };
  const { url } = await hostileServer({
    tools: [wrong, { name: 'bad', inputSchema: { type: 'object' } }, { name: 'good', inputSchema }],
  });
  await using table = tableOf(url);
  expect(await table.call('good', { any: [1], n: 2 })).toEqual({ ok: true, content: 'fine' });
  expect(await table.call('good', { none: 1 })).toMatchObject({ ok: false });
  const { url: other } = await hostileServer({
    tools: [
      { ...wrong, name: 'bad' },
      { name: 'good', inputSchema },
    ],
  });
  await using refused = tableOf(other);
  await expect(refused.open()).rejects.toThrow(
    'MCP server "test" has a tool "bad" that cannot be used: inputSchema.type must be "object"',
  );
});

test('answers are held to their schema whatever page of the list it stands on', async () => {
  const outputSchema = { type: 'object', required: ['n'] };
  const tools = ['bad', 'good'].map((name) => ({ name, inputSchema: { type: 'object' }, outputSchema }));
  const structuredContent = { m: 1 };
  const { url } = await hostileServer({
    bad: (asked, response) => json(response, result(asked, { content: [], structuredContent })),
    tools,
    pages: 2,
  });
  await using table = tableOf(url);
  expect(await table.call('bad', {})).toMatchObject({
    ok: false,
    error: { code: 'MCP_FAILED', message: expect.stringContaining('does not fit the schema') },
  });
  expect(await table.call('good', {})).toMatchObject({
    ok: false,
    error: { code: 'MCP_FAILED', message: 'the tool good has a schema for its answers and answered no data' },
  });
});

const answering = (pattern: string) => ({
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { text: { type: 'string', pattern } } },
});

test('a pattern that a server gives for its answers is given up like any other', async () => {
  const structuredContent = { text: `${'a'.repeat(30)}!` };
  const { url } = await hostileServer({
    bad: (asked, response) => json(response, result(asked, { content: [], structuredContent })),
    tools: ['bad', 'good'].map((name) => ({ name, ...answering(name === 'bad' ? '^(a+)+$' : '') })),
  });
  await using table = tableOf(url, 'sk-secret', 20);
  expect(await table.call('bad', {})).toMatchObject({
    ok: false,
    error: { code: 'MCP_FAILED', message: expect.stringContaining('a pattern took more than 1 s') },
  });
});

test('a wrong schema for the answers of a tool that nobody calls is nothing', async () => {
  const { url } = await hostileServer({
    bad: (asked, response) => json(response, result(asked, { content: [], structuredContent: { text: 'x' } })),
    tools: ['bad', 'good'].map((name) => ({
      name,
      ...(name === 'bad' ? answering('(') : { inputSchema: { type: 'object' } }),
    })),
  });
  await using table = tableOf(url);
  expect(await table.call('good', {})).toEqual({ ok: true, content: 'fine' });
  expect(await table.call('bad', {})).toMatchObject({ ok: false, error: { code: 'MCP_FAILED' } });
});
