import { request as httpRequest } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import { sendRaw } from '../testing/send-raw.ts';
import { serveFlows, startHeldAddress } from '../testing/served-world.ts';

/** The official client, over streamable HTTP. */
async function connect(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

test('flows are tools of the official client: listed with their schemas, and called', async () => {
  await using world = await serveFlows(['double', 'wait']);
  const client = await connect(world.server.url);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([
    {
      name: 'double',
      description: 'Runs the flow double, which gives: twice, more.',
      inputSchema: {
        type: 'object',
        properties: { n: { type: 'integer', description: 'a number' }, more: { type: 'object' } },
        required: ['n'],
      },
      outputSchema: { type: 'object', properties: { twice: {}, more: {} } },
    },
    { name: 'wait', inputSchema: { required: ['url'] } },
  ]);
  const given = { n: 21, more: { text: '法令 # system:', of: [1.5, null] } };
  const answer = await client.callTool({ name: 'double', arguments: given });
  expect(answer.structuredContent).toEqual({ twice: 42, more: given.more });
  const [content] = answer.content as readonly { readonly type: string; readonly text: string }[];
  expect([content?.type, JSON.parse(content?.text ?? '')]).toEqual(['text', answer.structuredContent]);
  await client.close();
  const [run, line] = String(answer._meta?.['x-flow-run']).split('/');
  await world.server.close();
  await using record = await openProject(world.folder, { runsFolder: world.host.runsFolder }).runs.open(run);
  expect(await record.row(Number(line))).toMatchObject({ status: 'Completed', inputs: given, outputs: { twice: 42 } });
});

test('a flow that fails, and inputs that are wrong, are answers that say so; a tool that is not there is an error', async () => {
  await using world = await serveFlows(['double']);
  const client = await connect(world.server.url);
  const failed = await client.callTool({ name: 'double', arguments: { n: 3 } });
  expect(failed).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('no way to double 3 in ') }],
  });
  expect(JSON.stringify(failed)).not.toContain(world.folder);
  for (const wrong of [{ n: 'x' }, {}])
    expect(await client.callTool({ name: 'double', arguments: wrong })).toMatchObject({ isError: true });
  await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toThrow(
    'MCP error -32602: there is no tool "none"',
  );
  expect(await client.callTool({ name: 'double', arguments: { n: 1 } })).toMatchObject({
    structuredContent: { twice: 2 },
  });
  await client.close();
});

test('a key is asked for here too', async () => {
  await using world = await serveFlows(['double'], { key: 'a-long-key' });
  const { url } = world.server;
  await expect(connect(url)).rejects.toThrow();
  await expect(connect(url, { authorization: 'Bearer another' })).rejects.toThrow();
  const client = await connect(url, { authorization: 'Bearer a-long-key' });
  expect((await client.listTools()).tools).toHaveLength(1);
  await client.close();
});

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const callDouble = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'double', arguments: { n: 1 } } };

test('a host that is none of this machine is refused here too', async () => {
  await using world = await serveFlows(['double']);
  const status = await new Promise((resolve, reject) => {
    const asked = { method: 'POST', headers: { ...headers, host: 'rebound.example' }, agent: false };
    httpRequest(`${world.server.url}/mcp`, asked, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(JSON.stringify(callDouble));
  });
  expect(status).toBe(403);
});

test.for<[what: string, body: string, status: number, more?: RequestInit]>([
  ['broken JSON', '{"jsonrpc": ', 400],
  ['JSON that is no message', '[[1]]', 400],
  ['nesting without end', '['.repeat(100_000), 400],
  ['a media type that is none of the protocol', '{}', 415, { headers: { ...headers, 'content-type': 'text/plain' } }],
  ['a client that takes no events', '{}', 406, { headers: { ...headers, accept: 'application/json' } }],
  ['a session that is to be ended', '', 405, { method: 'DELETE', body: null }],
])('%s: one clear answer, and the server goes on', async ([, body, status, more]) => {
  await using world = await serveFlows(['double']);
  const ask = (init: RequestInit): Promise<Response> =>
    fetch(`${world.server.url}/mcp`, { method: 'POST', headers, ...init });
  const answer = await ask({ body, ...more });
  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { message: expect.any(String) } }]);
  const next = await ask({ body: JSON.stringify(callDouble) });
  expect([next.status, await next.text()]).toEqual([200, expect.stringContaining('"twice":2')]);
});

test.for<readonly [what: string, params: unknown, message: string]>([
  ['arguments that are a list', { name: 'double', arguments: [1] }, 'params.arguments must be a mapping'],
  ['arguments that are null', { name: 'double', arguments: null }, 'params.arguments must be a mapping'],
  ['a name that is a number', { name: 5 }, 'params.name must be a text'],
  ['no parameters', undefined, 'params must be a mapping'],
  ['a tool whose name is mistyped', { name: 'duoble' }, 'there is no tool "duoble"; did you mean "double"?'],
])('%s: told in words, as wrong parameters', async ([, params, message]) => {
  await using world = await serveFlows(['double']);
  const body = JSON.stringify({ ...callDouble, params });
  const answer = await fetch(`${world.server.url}/mcp`, { method: 'POST', headers, body });
  const [, data = ''] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
  expect(JSON.parse(data)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32602, message } });
});

test.for<readonly [what: string, body: string, error: unknown]>([
  [
    'two requests of one batch with one id',
    JSON.stringify([callDouble, { jsonrpc: '2.0', method: 'notifications/initialized' }, callDouble]),
    { code: -32600, message: 'two requests of one batch have the id 1' },
  ],
  [
    'JSON that ends too soon',
    '{"jsonrpc": ',
    { code: -32700, message: expect.stringMatching(/^Parse error: .*(?:end|Expected)/i) },
  ],
  [
    'nesting without end',
    '['.repeat(100_000),
    { code: -32700, message: expect.stringMatching(/^Parse error: .*(?:deep|nest|level)/) },
  ],
])('%s: refused with the reason', async ([, body, error]) => {
  await using world = await serveFlows(['double']);
  const answer = await fetch(`${world.server.url}/mcp`, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: '2.0', id: null, error }]);
});

test('a client that goes away stops its nodes', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait']);
  const leave = new AbortController();
  const params = { name: 'wait', arguments: { url: held.url } };
  const body = JSON.stringify({ ...callDouble, params });
  const init = { method: 'POST', headers, body, signal: leave.signal };
  const asked = fetch(`${world.server.url}/mcp`, init).then((answer) => answer.text());
  await held.asked(1);
  leave.abort();
  await expect(asked).rejects.toThrow();
  await held.left(1);
});

test('a client that asks to close the connection sees it closed behind the answer', async () => {
  await using world = await serveFlows(['double']);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const head = [
    'POST /mcp HTTP/1.1',
    'host: 127.0.0.1',
    'connection: close',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${body.length}`,
  ];
  const said = await sendRaw(world.server.url, `${head.join('\r\n')}\r\n\r\n${body}`);
  expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(said).toMatch(/^connection: close\r$/im);
});
