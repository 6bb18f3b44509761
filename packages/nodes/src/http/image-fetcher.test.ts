import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redactor } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { imageFetcher } from './image-fetcher.ts';
import { isPublicAddress } from './public-address.ts';

const server = createServer((request, response) => {
  const { url = '' } = request;
  if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end();
  else if (url === '/a.gif') response.end('GIF89a');
  else if (url.startsWith('/echo/')) response.writeHead(400).end(refusalOf(url));
  else if (url === '/endless') endless(response.writeHead(500));
  else response.writeHead(404).end('nothing here');
});
const secret = '開け ゴマ open sesame 77';
/** `/echo/FILLERS/TIMES`: the secret so many times, behind so many fillers. */
function refusalOf(url: string): string {
  const [, , fillers, times] = url.split('/');
  return 'x'.repeat(Number(fillers)) + secret.repeat(Number(times));
}
let sentBytes = 0;
function endless(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write('x'.repeat(10_000))) sentBytes += 10_000;
  };
  response.on('drain', write);
  write();
}
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const onlyHere = imageFetcher({ mayAsk: (address) => address === '127.0.0.1' });

test('bytes of an image, and of one that moved', async () => {
  const bytes = new Uint8Array(Buffer.from('GIF89a'));
  expect(await onlyHere.fetch(`${base}/a.gif`)).toEqual({ ok: true, bytes: Buffer.from(bytes) });
  expect(await onlyHere.fetch(`${base}/to/${encodeURIComponent('/a.gif')}`)).toMatchObject({ ok: true });
});

test('a refusal is told with its status', async () => {
  const url = `${base}/b.gif`;
  const message = `Failed to fetch image from URL: ${url}. Error code: 404. Error message: nothing here.`;
  const service = { host: new URL(base).host, status: 404 };
  expect(await onlyHere.fetch(url)).toEqual({ ok: false, message, retryable: false, service });
});

test('a refusal without end is read to its begin', async () => {
  const told = await onlyHere.fetch(`${base}/endless`);
  expect(told).toMatchObject({
    ok: false,
    retryable: true,
    service: { host: new URL(base).host, status: 500 },
    message: expect.stringMatching(/Error code: 500\. Error message: x{1000}\.$/),
  });
  expect(sentBytes).toBeLessThan(10_000_000);
});

test('a secret in a refusal is told nowhere, wherever the refusal is cut', async () => {
  const redactor = new Redactor();
  redactor.learn(secret);
  const fetcher = imageFetcher({ mayAsk: (address) => address === '127.0.0.1', redactor });
  for (let cut = 1; cut < secret.length; cut += 3) {
    for (const path of [`${1000 - cut}/1`, `${cut}/800`]) {
      const told = await fetcher.fetch(`${base}/echo/${path}`);
      if (told.ok) throw new Error('it was not refused');
      const said = told.message.split('Error message: ')[1] ?? '';
      expect(said, `cut ${cut}`).not.toMatch(/開|ゴマ|open|sesame|77/);
    }
  }
});

test('where nobody listens, the cause is told', async () => {
  const url = 'http://127.0.0.1:1/a.gif';
  const message = `Failed to fetch image from URL: ${url}. (connect ECONNREFUSED 127.0.0.1:1)`;
  const service = { host: '127.0.0.1:1', errno: 'ECONNREFUSED' };
  expect(await onlyHere.fetch(url)).toEqual({ ok: false, message, retryable: true, service });
});

test.for([
  ['http://127.0.0.1/a.png'],
  ['http://localhost/a.png'],
  ['http://[::1]/a.png'],
  ['http://[::]/a.png'],
  ['http://[::127.0.0.1]/a.png'],
  ['http://[::ffff:0:127.0.0.1]/a.png'],
  ['http://[64:ff9b::169.254.169.254]/a.png'],
  ['http://[fe80::1]/a.png'],
  ['http://[fec0::1]/a.png'],
  ['http://[fd00:ec2::254]/latest/meta-data'],
  ['http://0/a.png'],
  ['http://127.1/a.png'],
  ['http://0177.0.0.1/a.png'],
  ['http://①②⑦.0.0.1/a.png'],
  ['http://user@127.0.0.1/a.png'],
  ['http://100.100.100.200/latest/meta-data'],
  ['http://[::ffff:127.0.0.1]/a.png'],
  ['http://2130706433/a.png'],
  ['http://0x7f.1/a.png'],
  ['http://169.254.169.254/latest/meta-data'],
  ['http://10.1.2.3/a.png'],
] as const)('%s is not asked', async ([url]) => {
  expect(await imageFetcher().fetch(url)).toMatchObject({
    ok: false,
    message: `Failed to fetch image from URL: ${url}. (it leads to no address of the public internet)`,
    retryable: false,
  });
});

test.for([
  ['file:///etc/passwd', ' (only http and https addresses are fetched)'],
  ['ftp://8.8.8.8/a.png', ' (only http and https addresses are fetched)'],
  ['nonsense', ''],
] as const)('%s is no address of a picture', async ([url, why]) => {
  const message = `Failed to fetch image from URL: ${url}.${why}`;
  expect(await imageFetcher().fetch(url)).toMatchObject({ ok: false, message, retryable: false });
});

test('one who sends around for ever is not followed', async () => {
  let path = '/a.gif?';
  for (let times = 0; times < 7; times += 1) path = `/to/${encodeURIComponent(path)}`;
  expect(await onlyHere.fetch(`${base}${path}`)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/ \(more than 5 redirects\)$/),
  });
});

test('a redirect to a closed address is not followed', async () => {
  const url = `${base}/to/${encodeURIComponent('http://169.254.169.254/')}`;
  expect(await onlyHere.fetch(url)).toMatchObject({
    ok: false,
    message: `Failed to fetch image from URL: ${url}. (it leads to no address of the public internet)`,
    retryable: false,
  });
});

test.for([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['192.168.1.1', false],
  ['fd00::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['::10.0.0.1', false],
  ['fec0::1', false],
  ['3fff::1', false],
  ['5f00::1', false],
  ['168.63.129.16', false],
] as const)('%s is public: %s', ([address, isPublic]) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
