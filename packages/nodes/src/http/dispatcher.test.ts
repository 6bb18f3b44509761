import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeDispatcher } from './dispatcher.ts';

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.for([
  { given: 'a proxy', noProxy: '', answers: 'the proxy' },
  { given: 'a proxy that is not for this host', noProxy: '127.0.0.1', answers: 'the service' },
])('$given', async ({ noProxy, answers }) => {
  const service = await listen(createServer((_, response) => response.end('the service')));
  const proxy = createServer((_, response) => response.end('the proxy'));
  // What comes through a tunnel is answered as what comes without one.
  proxy.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    proxy.emit('connection', socket);
  });
  const dispatcher = await makeDispatcher({ HTTP_PROXY: `http://${await listen(proxy)}`, no_proxy: noProxy });
  onTestFinished(() => dispatcher.destroy());
  const { body } = await dispatcher.request({ origin: `http://${service}`, path: '/', method: 'GET' });
  expect(await body.text()).toBe(answers);
});
