import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFlow } from '../packages/cli/src/testing/flow-process.ts';

async function startProxy(): Promise<string> {
  const proxy = createServer((_, response) => response.end('{"data": [{"id": "m"}]}'));
  // The host is known to the proxy alone, which answers for it.
  proxy.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    proxy.emit('connection', socket);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function testedThrough(proxy: string): Promise<readonly [code: number | null, said: string]> {
  const folder = mkdtempSync(join(tmpdir(), 'connection-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'connections.yaml'),
    'mine: {type: open_ai, api_key: k, base_url: "http://models.invalid/v1"}\n',
  );
  const environment = { HTTP_PROXY: proxy, NO_PROXY: '' };
  const { code, stdout, stderr } = await startFlow(['connection', 'test', 'mine'], { folder, environment }).ended;
  return [code, stdout + stderr];
}

test.for(['http://', 'http://user:secret@', ''])(
  'a connection is tested through the proxy that its flows go through: %s',
  async (before) => {
    const said = await testedThrough(before + (await startProxy()));
    expect(said).toEqual([0, expect.stringContaining('models.invalid gave the list of models: 1')]);
  },
);

test('what is no address of a proxy is told by its variable, without what it holds', async () => {
  const [code, said] = await testedThrough('http://user:secret@:bad');
  expect(code).toBe(1);
  expect(said).toContain('HTTP_PROXY is no address of a proxy that can be used: expected http://HOST:PORT');
  expect(said).not.toContain('secret');
});
