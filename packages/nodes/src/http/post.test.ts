import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dispatchedPost } from './dispatched-post.ts';
import { makeDispatcher } from './dispatcher.ts';
import { openConnect } from './kept-connection.ts';
import { openPost, plainPost } from './post.ts';
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
let connected = 0;
server.on('connection', () => {
  connected += 1;
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
  readonly more?: Readonly<Record<string, string>>;
}

function poster(send: Post): (path: string, options?: PostOptions) => Promise<PostAnswer> {
  return (path, { signal = new AbortController().signal, to = origin, more = {} } = {}) => {
    const target: PostTarget = { origin: to, path, headers: { authorization: 'Bearer k', ...more } };
    return send({ target, body: '"質問"', signal });
  };
}

const ways = [
  { way: 'plain', post: poster(await openPost({})) },
  { way: 'undici', post: poster(dispatchedPost(await makeDispatcher({}))) },
];

async function fetched(answer: PostAnswer): Promise<Response> {
  if ('json' in answer) throw new Error('was read as JSON');
  return await answer.fetched();
}

describe.for(ways)('$way', ({ post }) => {
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
});

test('requests go over a connection that is open; one that the other side closes is not used again', async () => {
  const post = poster(await openPost({}));
  const counts: number[] = [];
  const before = connected;
  for (const path of ['/', '/in-parts', '/long', '/', '/last', '/', '/to-the-end', '/']) {
    await post(path);
    counts.push(connected - before);
  }
  expect(counts).toEqual([1, 1, 1, 1, 1, 2, 2, 3]);
});

test('headers that mean something to the connection go through undici', async () => {
  const told: Post = async ({ target }) => ({ json: target.headers, headers: {} });
  const post = poster(plainPost(await openConnect(), told));
  expect(await post('/', { more: { Connection: 'close' } })).toMatchObject({ json: { Connection: 'close' } });
  expect(await post('/', { more: { 'x-a': 'b\r\nc: d' } })).toMatchObject({ json: { 'x-a': 'b\r\nc: d' } });
});

test('a service over TLS is asked, if its certificate is good', async () => {
  const secure = createSecureServer({ key, cert }, (_, response) => response.writeHead(200, isJson).end('"sicher"'));
  await new Promise<void>((ready) => secure.listen(0, 'localhost', ready));
  onTestFinished(() => void secure.close());
  const to = `https://localhost:${(secure.address() as AddressInfo).port}`;
  const otherwise: Post = () => Promise.reject(new Error('bug: asked otherwise'));
  const post = poster(plainPost(await openConnect({ ca: cert }), otherwise));
  for (let asked = 0; asked < 3; asked += 1) expect(await post('/', { to })).toMatchObject({ json: 'sicher' });
  const wary = poster(plainPost(await openConnect(), otherwise));
  await expect(fetched(await wary('/', { to }))).rejects.toMatchObject({
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
});

/** Of this test alone, good for `localhost` until 2126. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUXMj8vaw8BknEWOq
x5h1nF8SKptfnUF5bdz/IygpF42hRANCAASjz1k+4wbEGohK5RZecby9a5UnYQp0
rLAsq8l0kt1nJ42XtXh9m+x2yn39fkJb7W9aMGPBXsWCupsuynn8yHtj
-----END PRIVATE KEY-----
`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUNmu3mxOEes1tR2VmVEm41QxB5dswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE3NDk0MFoYDzIxMjYxMDI4
MTc0OTQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASjz1k+4wbEGohK5RZecby9a5UnYQp0rLAsq8l0kt1nJ42XtXh9m+x2
yn39fkJb7W9aMGPBXsWCupsuynn8yHtjo2kwZzAdBgNVHQ4EFgQUQ8UraQHe4+qG
K57UGn9K2llxCEQwHwYDVR0jBBgwFoAUQ8UraQHe4+qGK57UGn9K2llxCEQwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAPAn61cne163MWKL5nK8HJ+k0cp6D2V4owUYBCV0uv/GAiEAt6RShwdf
J+UnvU9rH8QHX1IoIhL4UtI/CtljM+BaJaA=
-----END CERTIFICATE-----
`;
