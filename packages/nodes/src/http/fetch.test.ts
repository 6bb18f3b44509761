import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFetch } from './fetch.ts';

const isJson = { 'content-type': 'application/json' };
let asked = 0;
const server = createServer(async (request, response) => {
  asked += 1;
  const { url, method, headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    response.end('data: 2\n\n');
  } else if (url === '/packed') {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('質問'));
  } else if (url === '/in-parts') {
    response.writeHead(200, isJson);
    for (const byte of Buffer.from('"個人情報"')) response.write(Buffer.of(byte));
    response.end();
  } else if (url === '/to-the-end') {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { ...isJson, connection: 'close' });
    response.write('"');
    response.end('終"');
  } else if (url === '/long') response.writeHead(200, isJson).end(JSON.stringify('長'.repeat(100_000)));
  else if (url === '/nothing') response.writeHead(204).end();
  else if (url === '/never') return;
  else if (url === '/broken') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    response.destroy();
  } else {
    response.writeHead(418, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], 'x-kept': 'yes' });
    const body = Buffer.concat(chunks).toString('utf8');
    response.end(JSON.stringify({ method, body, given: headers['x-given'] }));
  }
});
let base = '';
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('method, headers and body are sent; status, headers and body come back', async () => {
  const fetch = await openFetch();
  const answer = await fetch(`${base}/`, { method: 'POST', headers: { 'X-Given': 'a' }, body: '{"q":"質問"}' });
  expect([answer.ok, answer.status, answer.headers.get('x-kept')]).toEqual([false, 418, 'yes']);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const told = answer.clone();
  expect(await answer.json()).toEqual({ method: 'POST', body: '{"q":"質問"}', given: 'a' });
  expect(await told.text()).toContain('"method":"POST"');
});

test('events are streamed, packed answers unpacked, empty ones empty', async () => {
  const fetch = await openFetch();
  expect(await (await fetch(`${base}/events`)).text()).toBe('data: 1\n\ndata: 2\n\n');
  expect(await (await fetch(`${base}/packed`)).text()).toBe('質問');
  const empty = await fetch(`${base}/nothing`);
  expect([empty.status, await empty.text()]).toEqual([204, '']);
});

test('an answer that breaks off and a server that is not there fail as fetch fails', async () => {
  const fetch = await openFetch();
  await expect(fetch(`${base}/broken`)).rejects.toMatchObject({ message: 'fetch failed', cause: expect.any(Error) });
  await expect(fetch('http://127.0.0.1:1/')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('a request that is given up rejects with the reason', async () => {
  const fetch = await openFetch();
  const controller = new AbortController();
  const answer = fetch(`${base}/never`, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
});

test('one that was given up before is not sent', async () => {
  const fetch = await openFetch();
  const before = asked;
  await expect(fetch(`${base}/`, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  expect(asked).toBe(before);
});

test.for([
  ['/in-parts', '個人情報'],
  ['/to-the-end', '終'],
  ['/long', '長'.repeat(100_000)],
] as const)('%s: an answer is read whole, however it is cut', async ([path, json]) => {
  expect(await (await (await openFetch())(`${base}${path}`)).json()).toBe(json);
});
