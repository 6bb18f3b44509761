import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { awsHttpHandler } from './aws-http-handler.ts';

async function listen(says: string): Promise<number> {
  const server = createServer((_, response) => response.end(says));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test.for([
  { given: 'no proxy', proxied: false, noProxy: '', answers: 'the service' },
  { given: 'a proxy', proxied: true, noProxy: '', answers: 'the proxy' },
  { given: 'a proxy that is not for this host', proxied: true, noProxy: '127.0.0.1', answers: 'the service' },
])('$given', async ({ proxied, noProxy, answers }) => {
  const proxy = `http://127.0.0.1:${await listen('the proxy')}`;
  const handler = await awsHttpHandler({ ...(proxied ? { HTTP_PROXY: proxy } : {}), no_proxy: noProxy });
  onTestFinished(() => handler.destroy());
  const { response } = await handler.handle({
    protocol: 'http:',
    hostname: '127.0.0.1',
    port: await listen('the service'),
    method: 'GET',
    path: '/',
    query: {},
    headers: {},
  } as Parameters<typeof handler.handle>[0]);
  expect((await buffer(response.body)).toString()).toBe(answers);
});
