import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { type ServedWorld, serveFlows } from '../testing/served-world.ts';

const day = 24 * 60 * 60 * 1000;

interface Listed {
  readonly runs: readonly { readonly run: string; readonly flow: string; readonly rows: number }[];
}

/** Asks `double` on three days: the first two records are closed then. */
async function threeDays(): Promise<{ readonly world: ServedWorld; readonly runs: readonly string[] }> {
  let now = Date.UTC(2026, 10, 21, 6, 45);
  const world = await serveFlows(['double', 'wait'], { now: () => now });
  const runs: string[] = [];
  for (const n of [1, 3, 2]) {
    const answer = await postJson(`${world.server.url}/flows/double/runs`, { n });
    runs.unshift(((await answer.json()) as { readonly run: string }).run);
    now += day;
  }
  now -= day;
  return { world, runs };
}

test('runs that were recorded are listed, newest first, and their rows are there', async () => {
  const { world, runs } = await threeDays();
  await using _world = world;
  const { url } = world.server;
  expect(await (await fetch(`${url}/runs`)).json()).toEqual({
    runs: [
      { run: runs[0], flow: 'double', started_at: '2026-11-23T06:45:00.000Z', rows: 1, failed: 0 },
      { run: runs[1], flow: 'double', started_at: '2026-11-22T06:45:00.000Z', rows: 1, failed: 1 },
      { run: runs[2], flow: 'double', started_at: '2026-11-21T06:45:00.000Z', rows: 1, failed: 0 },
    ],
  });
  const limited = (await (await fetch(`${url}/runs?limit=2`)).json()) as Listed;
  expect(limited.runs.map(({ run }) => run)).toEqual(runs.slice(0, 2));
  expect(await (await fetch(`${url}/runs/${runs[2]}/0`)).json()).toEqual({
    status: 'Completed',
    outputs: { twice: 2, more: {} },
    error: null,
    run: runs[2],
    line: 0,
  });
  expect((await fetch(`${url}/runs/${runs[1]}/0`)).status).toBe(500);
  for (const path of ['%00/0', `${'a'.repeat(300)}/0`, `${'a'.repeat(300)}/0/events`, '東京%2f/0', '%zz/0'])
    expect((await fetch(`${url}/runs/${path}`)).status, path).toBe(404);
  const labelled = await fetch(`${url}/runs/${runs[2]}/0/labels`, { method: 'PUT', body: '{"pass": true}' });
  expect(labelled.status).toBe(200);
});

test('what no server of these flows recorded is neither listed nor read', async () => {
  const { world, runs } = await threeDays();
  await using _world = world;
  const { url } = world.server;
  const { runsFolder } = world.host;
  writeFileSync(join(runsFolder, '20271121-000000-broken.run'), 'no record');
  mkdirSync(join(runsFolder, '20271121-000001-folder.run'));
  const project = openProject(world.folder, { runsFolder });
  const own = await project.runRow('double', { n: 5 }, { name: '20271121-own' }).result;
  expect(own.row.outputs).toMatchObject({ twice: 10 });
  expect(((await (await fetch(`${url}/runs`)).json()) as Listed).runs.map(({ run }) => run)).toEqual(runs);
  for (const run of [
    '20271121-own',
    '20271121-000000-broken',
    '20271121-000001-folder',
    '..%2fruns%2f20271121-own',
    `.%2f${runs[2]}`,
    `${runs[2]}.run`,
    'latest',
    '%00',
  ])
    expect((await fetch(`${url}/runs/${run}/0`)).status, run).toBe(404);
});

test.for(['0', '-1', '101', 'x', '', '1.5', '1&limit=2'])('?limit=%s is refused', async (limit) => {
  await using world = await serveFlows(['double']);
  const answer = await fetch(`${world.server.url}/runs?limit=${limit}`);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: 'InvalidQuery', message: 'limit must be a whole number from 1 to 100.' } },
  ]);
});

test('a flow that was asked nothing has no runs', async () => {
  await using world = await serveFlows(['double']);
  expect(await (await fetch(`${world.server.url}/runs`)).json()).toEqual({ runs: [] });
});
