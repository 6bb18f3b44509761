import { expect, test } from 'vitest';
import { WholeResponse } from './whole-response.ts';

const text = '{"said":"質問"}';
const bytes = Buffer.from(text);
const answered = (status: number, body: Uint8Array<ArrayBuffer> = bytes): Response =>
  new WholeResponse(body, { status, headers: new Headers({ 'content-type': 'application/json' }) });

test.for<readonly [string, (response: Response) => Promise<unknown>]>([
  ['text', (response) => response.text()],
  ['json', async (response) => JSON.stringify(await response.json())],
  ['bytes', async (response) => Buffer.from(await response.bytes()).toString()],
  ['arrayBuffer', async (response) => Buffer.from(await response.arrayBuffer()).toString()],
  ['blob', async (response) => (await response.blob()).text()],
  ['clone', (response) => response.clone().text()],
  ['another of it', (response) => new Response(response.body, response).text()],
])('what was read is read as %s, and as text after it', async ([, read]) => {
  const response = answered(200);
  expect([await read(response), await response.text()]).toEqual([text, text]);
});

test('a mark of the order of bytes is no part of the text', async () => {
  expect(await answered(200, Buffer.from(`\uFEFF${text}`)).json()).toEqual({ said: '質問' });
});

test('what is given away is a copy', async () => {
  const response = answered(200);
  (await response.bytes()).fill(0);
  new Uint8Array(await response.arrayBuffer()).fill(0);
  expect(await response.text()).toBe(text);
});

test.for([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [500, false],
] as const)('%s is ok: %s', ([status, ok]) => expect(answered(status).ok).toBe(ok));
