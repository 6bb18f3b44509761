import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
  const code = `export async function halve({ n, said }) {
  if (n === 2) await fetch('${held.url}');
  return { half: n / 2, said };
}
`;
  writeFileSync(join(world.folder, 'halve/halve.mjs'), code);
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

test('a run is made faster and slower while its rows are in flight, and keeps its pace when it goes on after a stop', async () => {
  await using first = await startHeldAddress();
  await using second = await startHeldAddress();
  await using world = await viewFolder();
  const code = `export async function halve({ n }) {
  await fetch(n < 5 ? '${first.url}' : '${second.url}');
  return { half: n / 2 };
}
`;
  writeFileSync(join(world.folder, 'halve/halve.mjs'), code);
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `{"n": ${n}, "said": "x"}\n`);
  writeFileSync(join(world.folder, 'halve/eight.jsonl'), rows.join(''));
  await send(world, 'runs', { flow: 'halve', data: 'halve/eight.jsonl', concurrency: 1, name: 'paced' });
  await first.asked(1);
  const control = async (asked: object) => (await send(world, 'runs/paced/control', asked)).status;
  // Nothing has ended: the row in flight keeps nobody from asking for more.
  expect(await control({ do: 'pace', concurrency: 4 })).toBe(200);
  await first.asked(4);
  expect(await control({ do: 'pace', concurrency: 1 })).toBe(200);
  first.release();
  await second.asked(1);
  const paced = async () => (await world.studio.line('paced')).progress;
  expect(await paced()).toMatchObject({ canStop: true, concurrency: 1 });
  const isStopping = Promise.withResolvers<void>();
  using _heard = world.studio.listen((event) => {
    if (event.type === 'run' && event.run.progress?.canStop === false) isStopping.resolve();
  });
  const stopping = control({ do: 'stop' });
  await isStopping.promise;
  second.release();
  expect(await stopping).toBe(200);
  expect(await world.project.runs.summary('paced')).toMatchObject({ status: 'Canceled', rows: 5 });
  expect(await control({ do: 'resume', retryFailed: false })).toBe(200);
  expect(await paced()).toMatchObject({ concurrency: 1 });
});

test('a run is removed', async () => {
  await using world = await viewFolder();
  await world.run('old');
  expect((await world.ask('runs/old', { method: 'DELETE' })).status).toBe(200);
  expect(await world.project.runs.list()).toEqual([]);
  expect((await world.ask('runs/old', { method: 'DELETE' })).status).toBe(404);
});

test('a run that cannot be removed is told as such', async () => {
  await using world = await viewFolder();
  await world.run('old');
  rmSync(join(world.folder, 'runs/old.run.lock'), { force: true });
  mkdirSync(join(world.folder, 'runs/old.run.lock'));
  const answer = await world.ask('runs/old', { method: 'DELETE' });
  expect([answer.status, await answer.json()]).toMatchObject([
    403,
    { error: { code: 'RunNotRemoved', message: 'run old cannot be removed: it is a folder' } },
  ]);
});

test('a run is named and tagged; its record, and what is compared, stays as it is', async () => {
  await using world = await viewFolder();
  await world.run('one');
  await world.run('two');
  const patch = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await world.ask('runs/one', { method: 'PATCH', body: JSON.stringify(body), headers });
    return { status: answer.status, said: await answer.json() };
  };
  const diff = async () => await (await world.ask('diff?left=one&right=two')).json();
  const before = await diff();
  const said = { name: '修正前', tags: ['keep'] };
  expect(await patch(said)).toMatchObject({ status: 200, said: { id: 'one', ...said } });
  expect((await patch({ note: 'asked by Sato' })).said).toMatchObject({ ...said, note: 'asked by Sato' });
  expect(await (await world.ask('runs?text=keep')).json()).toMatchObject({ runs: [{ id: 'one', ...said }] });
  expect(await (await world.ask('runs/one')).json()).toMatchObject({ run: { ...said, note: 'asked by Sato' } });
  expect(await diff()).toEqual(before);
  expect(await patch({ tags: [''] })).toMatchObject({ status: 400, said: { error: { code: 'MarksNotPossible' } } });
  expect(await patch({ colour: 'red' })).toMatchObject({ status: 400, said: { error: { code: 'BadQuery' } } });
  expect((await world.project.runs.list({ tag: 'keep' })).map(({ id }) => id)).toEqual(['one']);
  expect((await world.ask('runs/one', { method: 'DELETE' })).status).toBe(200);
  await world.run('one');
  expect(await (await world.ask('runs/one')).json()).toMatchObject({ run: { tags: [] } });
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
