import { expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { serveFlows, startHeldAddress } from '../testing/served-world.ts';

interface Row {
  readonly status: string;
  readonly outputs: object;
  readonly run: string;
  readonly line: number;
}

async function row(url: string, method = 'GET'): Promise<readonly [number, Row]> {
  const answer = await fetch(url, { method });
  return [answer.status, (await answer.json()) as Row];
}

test('a request that nobody waits for: 202 with its place, its events until it has ended, its row', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait']);
  const { url } = world.server;
  const accepted = await postJson(`${url}/flows/wait/runs?wait=0`, { url: held.url });
  const place = accepted.headers.get('location') ?? '';
  expect([accepted.status, (await accepted.json()) as Row]).toMatchObject([202, { status: 'Running', line: 0 }]);
  await held.asked(1);
  expect(await row(url + place)).toMatchObject([202, { status: 'Running' }]);
  const followed = await fetch(`${url}${place}/events`);
  expect(followed.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  held.release();
  const events = await followed.text();
  expect(events.match(/^event: .*$/gm)).toEqual(['event: node-started', 'event: node-ended', 'event: row-ended']);
  expect(events).toContain('"outputs":{"said":"released"}');
  expect(await row(url + place)).toMatchObject([200, { status: 'Completed', outputs: { said: 'released' } }]);
  // Who comes later is told how it ended.
  expect(await (await fetch(`${url}${place}/events`)).text()).toMatch(/^event: row-ended\ndata: .*released.*\n\n$/);
  expect(await row(url + place, 'DELETE')).toMatchObject([409, { error: { code: 'RowEnded' } }]);
});

test('a request that is given up: its nodes are stopped, and its row says so', async () => {
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait']);
  const { url } = world.server;
  const accepted = await postJson(`${url}/flows/wait/runs?wait=0`, { url: held.url });
  const place = url + (accepted.headers.get('location') ?? '');
  await held.asked(1);
  const followed = fetch(`${place}/events`).then(async (answer) => await answer.text());
  expect(await row(place, 'DELETE')).toMatchObject([200, { status: 'Canceled', outputs: {} }]);
  await held.left(1);
  expect(await followed).toContain('"status":"Canceled"');
  expect(await row(place)).toMatchObject([200, { status: 'Canceled' }]);
});

test.for(['DELETE /runs/none/0', 'GET /runs/none/0/events', 'GET /runs/none/0'])('%s: there is none', async (asked) => {
  await using world = await serveFlows(['wait']);
  const [method = '', path = ''] = asked.split(' ');
  expect(await row(world.server.url + path, method)).toMatchObject([404, { error: { code: 'RowNotFound' } }]);
});
