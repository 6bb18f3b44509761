import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFlow } from '../packages/cli/src/testing/flow-process.ts';

test('a connection is tested through the proxy that its flows go through', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'connection-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'connections.yaml'),
    'mine: {type: open_ai, api_key: k, base_url: "http://models.invalid/v1"}\n',
  );
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
  const environment = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, NO_PROXY: '' };
  const { code, stdout } = await startFlow(['connection', 'test', 'mine'], { folder, environment }).ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining('models.invalid gave the list of models: 1')]);
});
