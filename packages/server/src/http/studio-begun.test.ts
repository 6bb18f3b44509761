import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHeldAddress } from '../testing/served-world.ts';
import { type ViewedWorld, viewFolder } from '../testing/viewed-world.ts';

async function send(
  world: ViewedWorld,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly said: unknown }> {
  const answer = await world.ask(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, said: await answer.json() };
}

test('a run begun from the page is a record like any other, is stopped and goes on', async () => {
  await using held = await startHeldAddress();
  await using world = await viewFolder();
  const code = `export async function halve({ n, said }: { n: number; said: string }) {
  if (n === 2) await fetch('${held.url}');
  return { half: n / 2, said };
}
`;
  writeFileSync(join(world.folder, 'halve/halve.ts'), code);
  const request = { flow: 'halve', data: 'halve/rows.jsonl', concurrency: 1, name: 'begun' };
  expect(await send(world, 'runs', request)).toEqual({ status: 200, said: { run: 'begun' } });
  await held.asked(1);
  const stopping = send(world, 'runs/begun/control', { do: 'stop' });
  held.release();
  expect(await stopping).toEqual({ status: 200, said: { run: 'begun' } });
  const stopped = await world.project.runs.summary('begun');
  expect(stopped).toMatchObject({ status: 'Canceled', rows: 1, total: 4 });
  expect((await send(world, 'runs/begun/control', { do: 'resume', retryFailed: false })).status).toBe(200);
});

test('a run is removed', async () => {
  await using world = await viewFolder();
  await world.run('old');
  expect((await world.ask('runs/old', { method: 'DELETE' })).status).toBe(200);
  expect(await world.project.runs.list()).toEqual([]);
  expect((await world.ask('runs/old', { method: 'DELETE' })).status).toBe(404);
});

test.for<[string, object, number, string]>([
  ['runs', { flow: '..' }, 403, 'OutsideFolder'],
  ['runs', { flow: 'halve', data: '../../etc/passwd' }, 403, 'OutsideFolder'],
  ['runs', { flow: 'none' }, 404, 'FlowNotFound'],
  ['runs', { flow: 'halve', data: 'halve/rows.jsonl', concurrency: 0 }, 400, 'BadQuery'],
  ['runs', { flow: 'halve', shell: 'rm' }, 400, 'BadQuery'],
  ['runs/none/control', { do: 'stop' }, 404, 'RunNotFound'],
])('POST %s %j is refused: %i %s', async ([path, body, status, code]) => {
  await using world = await viewFolder();
  expect(await send(world, path, body)).toMatchObject({ status, said: { error: { code } } });
});
