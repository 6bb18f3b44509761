import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { answerTestServer } from '../mcp/testing-server.ts';
import { testTable } from './testing-table.ts';

const server = fileURLToPath(new URL('../mcp/testing-server.ts', import.meta.url));

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
    'MCP server "test" has no tool "adds"; it has add, whoami, fails, hangs, huge, raises, zero, calm, roles, tags, placeholders, crashes, picture',
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
