import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { answerTestServer } from '../../mcp/test-server.fixture.ts';
import { testTable } from '../../testing/test-table.ts';

const server = fileURLToPath(new URL('../../mcp/test-server.fixture.ts', import.meta.url));

function processTable(allow: string, more = '', command = process.execPath) {
  const mcp = `{name: test, command: '${command}', args: ['${server}', serve], connection: who}`;
  return testTable(
    { 'tools.yaml': `- {mcp: ${mcp}, allow: [${allow}]${more}}` },
    { connections: [{ name: 'who', type: 'custom', configs: {}, secrets: { WHO: 'secret-name' } }] },
  );
}

test('the allowed tools of a server that is a process', async () => {
  await using table = processTable('add, whoami, fails', ', prefix: t_');
  const { tools } = await table.open();
  expect(tools.map(({ name, description, effects }) => [name, description, effects])).toEqual([
    ['t_add', 'Adds.', 'reads'],
    ['t_whoami', 'Tells a variable.', 'writes'],
    ['t_fails', 'Fails.', 'writes'],
  ]);
  expect(await table.call('t_add', { a: 1, b: 2 })).toEqual({ ok: true, content: '3' });
  expect(await table.call('t_add', { a: 'one', b: 2 })).toMatchObject({
    toModel: true,
    error: { code: 'UNFIT_ARGUMENTS' },
  });
  expect(await table.call('t_whoami', {})).toEqual({ ok: true, content: '***' });
  expect(await table.call('t_fails', {})).toMatchObject({ toModel: true, error: { message: 'no such file' } });
});

test('hostile tools of a server are recorded errors, and its other tools still answer', async () => {
  await using table = processTable('add, huge, picture, crashes');
  expect(await table.call('huge', {})).toMatchObject({ ok: false, error: { code: 'TOO_LARGE' } });
  expect(await table.call('picture', {})).toMatchObject({ ok: false, error: { code: 'BINARY_RESULT' } });
  expect(await table.call('crashes', {})).toMatchObject({ ok: false, error: { code: 'MCP_FAILED' } });
  expect(await table.call('add', { a: 1, b: 2 })).toEqual({ ok: true, content: '3' });
});

test('of an answer with pictures and resources a model reads what is text, links, and that the rest is left out', async () => {
  await using table = processTable('page');
  const lines = [
    'The page is open.',
    '(image/png, 3 bytes, left out: no text)',
    '<p>hi</p>',
    '(page://2, 4 bytes, left out: no text)',
    '{"uri":"page://3","name":"next","description":"The next page."}',
  ];
  expect(await table.call('page', {})).toEqual({ ok: true, content: lines.join('\n') });
});

test('a tool of a server that hangs is given up', async () => {
  await using table = processTable('hangs, add', ', timeout: 2');
  await table.open();
  const [hung, added] = await Promise.all([table.call('hangs', {}), table.call('add', { a: 1, b: 2 })]);
  expect(hung).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
  expect(added).toEqual({ ok: true, content: '3' });
});

test('a server without an allowed tool, or none at all, keeps the flow from being made ready', async () => {
  await using other = processTable('adds');
  await expect(other.open()).rejects.toThrow(
    'MCP server "test" has no tool "adds"; did you mean "add"? it has add, whoami, fails, hangs, huge, raises, zero, broken, calm, roles, tags, placeholders, crashes, picture, page',
  );
  await using none = processTable('add', '', '/no/such/program');
  await expect(none.open()).rejects.toThrow('MCP server "test" cannot be asked: spawn /no/such/program ENOENT');
});

test('a server that has an address', async () => {
  const keys: unknown[] = [];
  const http = createServer(async (request, response) => {
    keys.push(request.headers.authorization);
    await answerTestServer(request, response);
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  {
    await using table = testTable(
      { 'tools.yaml': `- {mcp: {name: test, url: '${url}', connection: key}, allow: [add]}` },
      { connections: [{ name: 'key', type: 'custom', configs: {}, secrets: { api_key: 'sk-secret' } }] },
    );
    expect(table.told).toBe('');
    expect(await table.call('add', { a: 1, b: 2 })).toEqual({ ok: true, content: '3' });
    expect(new Set(keys)).toEqual(new Set(['Bearer sk-secret']));
  }
  http.closeAllConnections();
  await new Promise((closed) => http.close(closed));
});

test.for([
  { status: 503, retryable: true },
  { status: 400, retryable: false },
])('a call that a server with an address refuses ($status) tells who, and its words to a limit', async (refused) => {
  const { status, retryable } = refused;
  let isRefusing = false;
  const http = createServer(async (request, response) => {
    if (isRefusing) response.writeHead(status).end(`no: sk-secret ${'x'.repeat(100_000)}`);
    else await answerTestServer(request, response);
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { host, href } = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  await using table = testTable(
    { 'tools.yaml': `- {mcp: {name: test, url: '${href}', connection: key}, allow: [add]}` },
    { connections: [{ name: 'key', type: 'custom', configs: {}, secrets: { api_key: 'sk-secret' } }] },
  );
  await table.open();
  isRefusing = true;
  const result = await table.call('add', { a: 1, b: 2 });
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'MCP_FAILED',
      message: expect.stringContaining('no: *** xxx'),
      retryable,
      service: { host, status },
    },
  });
  if (!result.ok) expect(result.error.message.length).toBeLessThan(1100);
});

/** A server that has so many pages of tools, or the same one again and again. */
async function startPages(next: (page: number) => string | undefined) {
  const pages: unknown[] = [];
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request)) as {
      readonly id?: number;
      readonly method: string;
      readonly params?: { readonly cursor?: string; readonly protocolVersion?: string };
    };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/list') pages.push(params?.cursor);
    const tool = { name: `t${pages.length}`, inputSchema: { type: 'object' } };
    const cursor = next(pages.length);
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          }
        : { tools: [tool], ...(cursor === undefined ? {} : { nextCursor: cursor }) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, pages };
}

test.for([
  {
    name: 'three pages',
    next: (page: number) => (page < 3 ? `p${page}` : undefined),
    asked: 3,
    told: 'has t1, t2, t3',
  },
  { name: 'a page that names itself', next: () => 'again', asked: 2, told: 'it names a page that it gave before' },
  { name: 'pages without end', next: (page: number) => `p${page}`, asked: 1001, told: 'more than 1000 pages' },
])('a list of tools in pages: $name', async ({ next, asked, told }) => {
  const { url, pages } = await startPages(next);
  await using table = testTable({ 'tools.yaml': `- {mcp: {name: test, url: '${url}'}, allow: [none]}` });
  await expect(table.open()).rejects.toThrow(told);
  expect(pages).toHaveLength(asked);
});

test('a server whose address nobody listens at tells why', async () => {
  await using table = testTable({ 'tools.yaml': "- {mcp: {name: test, url: 'http://127.0.0.1:1/mcp'}, allow: [add]}" });
  await expect(table.open()).rejects.toThrow('fetch failed: connect ECONNREFUSED 127.0.0.1:1');
});

test('bytes of a process that are no UTF-8 are told', async () => {
  await using table = processTable('broken');
  expect(await table.call('broken', {})).toEqual({ ok: true, content: 'caf\uFFFD' });
  await table.call('broken', {});
  expect(table.printed).toEqual([
    'MCP server "test" wrote U+FFFD, or bytes that are no UTF-8 and are read as that sign\n',
  ]);
});

test('the connection of a server is a part of what its tools answer', async () => {
  const mcp = `{name: test, command: '${process.execPath}', args: ['${server}', serve], connection: who}`;
  const partsWith = async (WHO: string) => {
    const connections = [{ name: 'who', type: 'custom', configs: { WHO }, secrets: {} }];
    await using table = testTable({ 'tools.yaml': `- {mcp: ${mcp}, allow: [add]}` }, { connections });
    return await (await table.open()).parts();
  };
  const [one, other] = [await partsWith('a'), await partsWith('b')];
  expect(Object.keys(one).filter((part) => one[part] !== other[part])).toEqual(['connection who']);
});

test('what is kept of a long message of a process tells no part of a secret', async () => {
  const secret = `${'k3y of a1 '.repeat(150)}end`;
  const script = 'for (let n = 0; n < 20; n += 1) process.stderr.write(process.env.WHO + "\\n"); process.exit(1);';
  await using table = testTable(
    {
      'fails.mjs': script,
      'tools.yaml': '- {mcp: {name: test, command: node, args: [fails.mjs], connection: who}, allow: [add]}',
    },
    { connections: [{ name: 'who', type: 'custom', configs: {}, secrets: { WHO: secret } }] },
  );
  const error = await table.open().catch((thrown: unknown) => thrown as Error);
  expect(String(error)).toContain('it wrote: … (30080 characters, the end:)***');
  expect(String(error)).not.toContain('a1');
});

test('a process that ends once it was greeted is told at once, not when its time is over', async () => {
  const script = `process.stdin.once('data', (asked) => {
    const { id, params } = JSON.parse(String(asked));
    const result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n', () => process.exit(3));
  });`;
  await using table = testTable({
    'ends.mjs': script,
    'tools.yaml': '- {mcp: {name: test, command: node, args: [ends.mjs]}, allow: [add]}',
  });
  const error = await table.open().catch((thrown: unknown) => thrown as Error);
  expect(String(error)).toMatch(/Connection closed|connection was closed/);
});
