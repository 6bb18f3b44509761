import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDispatcher } from './dispatcher.ts';
import { dispatchedPost } from './post.ts';
import type { Post, PostAnswer, PostTarget } from './post-answer.ts';

const isJson = { 'content-type': 'application/json' };
const routes: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/in-parts': (response) => {
    response.writeHead(200, isJson);
    for (const byte of Buffer.from('"個人情報"')) response.write(Buffer.of(byte));
    response.end();
  },
  '/to-the-end': (response) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { ...isJson, connection: 'close' });
    response.write('"');
    response.end('終"');
  },
  '/long': (response) => response.writeHead(200, isJson).end(JSON.stringify('長'.repeat(100_000))),
  '/last': (response) => response.writeHead(200, { ...isJson, connection: 'close' }).end('1'),
  '/packed': (response) => response.writeHead(200, { ...isJson, 'content-encoding': 'gzip' }).end(gzipSync('"質問"')),
  '/refused': (response) => response.writeHead(429, { ...isJson, 'retry-after-ms': '7' }).end('{}'),
  '/no-json': (response) => response.writeHead(200, isJson).end('<html>'),
  '/nothing': (response) => response.writeHead(204).end(),
  '/never': () => {},
  '/broken': (response) => {
    response.writeHead(200, { ...isJson, 'content-length': '100' });
    response.write('{"half":');
    response.destroy();
  },
};
let asked = 0;
const server = createServer(async (request, response) => {
  asked += 1;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString('utf8');
  const route = routes[request.url ?? ''];
  if (route !== undefined) route(response);
  else response.writeHead(200, isJson).end(JSON.stringify({ body, key: request.headers.authorization }));
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface PostOptions {
  readonly signal?: AbortSignal;
  readonly to?: string;
}

function poster(send: Post): (path: string, options?: PostOptions) => Promise<PostAnswer> {
  return (path, { signal = new AbortController().signal, to = origin } = {}) => {
    const target: PostTarget = { origin: to, path, headers: { authorization: 'Bearer k' } };
    return send({ target, body: '"質問"', signal });
  };
}

const post = poster(dispatchedPost(await makeDispatcher({})));

async function fetched(answer: PostAnswer): Promise<Response> {
  if ('json' in answer) throw new Error('was read as JSON');
  return await answer.fetched();
}

test.for([
  ['/', { body: '"質問"', key: 'Bearer k' }],
  ['/in-parts', '個人情報'],
  ['/to-the-end', '終'],
  ['/long', '長'.repeat(100_000)],
] as const)('%s: JSON is read', async ([path, json]) => {
  expect(await post(path)).toMatchObject({ json, headers: isJson });
});

test.for([
  ['/packed', 200, '"質問"'],
  ['/refused', 429, '{}'],
  ['/no-json', 200, '<html>'],
  ['/nothing', 204, ''],
] as const)('%s: what is no plain JSON is what fetch would have given', async ([path, status, text]) => {
  const response = await fetched(await post(path));
  expect([response.status, await response.text()]).toEqual([status, text]);
  if (status === 429) expect(response.headers.get('retry-after-ms')).toBe('7');
});

test('an answer that breaks off and a server that is not there fail as fetch fails', async () => {
  await expect(fetched(await post('/broken'))).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { message: 'other side closed', code: 'UND_ERR_SOCKET' },
  });
  await expect(fetched(await post('/', { to: 'http://127.0.0.1:1' }))).rejects.toMatchObject({
    cause: { code: 'ECONNREFUSED' },
  });
});

test('a request that is given up fails with the reason, under way or before it was sent', async () => {
  const controller = new AbortController();
  const underWay = post('/never', { signal: controller.signal });
  await post('/');
  controller.abort(new Error('enough'));
  await expect(fetched(await underWay)).rejects.toThrow('enough');
  const before = asked;
  await expect(fetched(await post('/', { signal: controller.signal }))).rejects.toThrow('enough');
  expect(asked).toBe(before);
});
