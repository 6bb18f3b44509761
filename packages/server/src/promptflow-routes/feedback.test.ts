import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveFlows } from '../testing/served-world.ts';

async function send(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  place?: string,
): Promise<readonly [status: number, answer: unknown]> {
  const headers = place === undefined ? {} : { 'x-flow-run': place };
  const answer = await fetch(`${url}/feedback`, { method: 'POST', body, headers });
  return [answer.status, await answer.json()];
}

test('feedback names a row that there is, or none', async () => {
  await using world = await serveFlows(['double']);
  const { url } = world.server;
  const ran = await fetch(`${url}/score`, { method: 'POST', body: '{"n": 2}' });
  const place = ran.headers.get('x-flow-run') ?? '';
  const received = [200, { status: 'Feedback received.' }];
  expect(await send(url, '{"thumb": "up"}', place)).toEqual(received);
  expect(await send(url, 'good')).toEqual(received);
  expect(await send(url, new Uint8Array([0xff, 0xfe]))).toEqual(received);
  for (const unknown of [
    '',
    'none/0',
    place.replace(/0$/, '7'),
    place.replace(/0$/, '00'),
    `${place}/0`,
    '../double/0',
    '%2e%2e%2fdouble/0',
    'x'.repeat(5000),
  ])
    expect(await send(url, 'good', unknown), unknown).toMatchObject([404, { error: { code: 'RowNotFound' } }]);
  const lines = readFileSync(join(world.host.runsFolder, 'feedback.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { place, feedback: { thumb: 'up' } },
    { feedback: 'good' },
    { feedback: { base64: '//4=' } },
  ]);
});

test('feedback that is not kept is answered so, and told: a full file, and one that cannot be written', async () => {
  await using world = await serveFlows(['double']);
  const { url } = world.server;
  const file = join(world.host.runsFolder, 'feedback.jsonl');
  mkdirSync(world.host.runsFolder, { recursive: true });
  writeFileSync(file, '');
  truncateSync(file, 64 * 2 ** 20 - 1000);
  expect(await send(url, 'good')).toMatchObject([200, {}]);
  expect(await send(url, 'x'.repeat(1000))).toMatchObject([500, { error: { code: 'NotKept' } }]);
  expect(await send(url, 'good')).toMatchObject([200, {}]);
  rmSync(file);
  mkdirSync(file);
  expect(await send(url, 'good')).toMatchObject([500, { error: { code: 'NotKept' } }]);
  expect(existsSync(file)).toBe(true);
  expect(world.notices).toMatchObject([
    {
      kind: 'warning',
      message: 'feedback cannot be kept: feedback.jsonl is as large as it may be, 64 MB: move it elsewhere',
    },
    { kind: 'warning', message: expect.stringMatching(/^feedback cannot be kept: /) },
  ]);
});
