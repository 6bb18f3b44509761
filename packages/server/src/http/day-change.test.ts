import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import { serveFlows, startHeldAddress } from '../testing/served-world.ts';

interface Answered {
  readonly run: string;
  readonly line: number;
}

test('a new day (UTC) is a new run; what began the day before is recorded there', async () => {
  let now = Date.UTC(2026, 10, 21, 23, 59, 59);
  await using held = await startHeldAddress();
  await using world = await serveFlows(['wait'], { now: () => now });
  const ask = async (): Promise<Answered> => {
    const init = { method: 'POST', body: JSON.stringify({ url: held.url }) };
    return (await (await fetch(`${world.server.url}/flows/wait/runs`, init)).json()) as Answered;
  };
  const before = ask();
  await held.asked(1);
  now += 2000;
  const after = ask();
  await held.asked(2);
  held.release();
  const answers = [await before, await after, await ask()];
  const runs = ['20261121-235959-wait', '20261122-000001-wait', '20261122-000001-wait'];
  expect(answers).toMatchObject(runs.map((run, at) => ({ run: expect.stringContaining(run), line: at === 2 ? 1 : 0 })));
  await world.server.close();
  const { runs: catalog } = openProject(world.folder, { runsFolder: world.host.runsFolder });
  for (const [run, rows] of [
    [answers[0]?.run, 1],
    [answers[1]?.run, 2],
  ] as const) {
    await using record = await catalog.open(run);
    expect(await record.rowCounts()).toMatchObject({ Completed: rows, Failed: 0, Canceled: 0 });
  }
});

test('a run names the flow that is served, also where its files are others, or gone, when it begins', async () => {
  let now = Date.UTC(2026, 10, 21);
  await using world = await serveFlows(['double'], { now: () => now });
  const ask = async (): Promise<string | undefined> => {
    const init = { method: 'POST', body: '{"n": 2}' };
    return ((await (await fetch(`${world.server.url}/flows/double/runs`, init)).json()) as Answered).run;
  };
  const runs = [await ask()];
  for (const change of [
    () => writeFileSync(join(world.folder, 'double/double.mjs'), ''),
    () => rmSync(join(world.folder, 'double'), { recursive: true }),
  ]) {
    change();
    now += 86_400_000;
    runs.push(await ask());
  }
  await world.server.close();
  const { runs: catalog } = openProject(world.folder, { runsFolder: world.host.runsFolder });
  const digests = new Set<string>();
  for (const run of runs) {
    await using record = await catalog.open(run);
    digests.add(record.info.flowDigest);
  }
  expect([digests.size, world.notices]).toEqual([1, []]);
});
