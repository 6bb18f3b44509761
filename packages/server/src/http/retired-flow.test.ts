import { readdirSync } from 'node:fs';
import { findServedFlow, openProject, type ServedFlow, serveFlow } from '@unroll/project';
import { expect, test } from 'vitest';
import { type ServedWorld, serveFlows } from '../testing/served-world.ts';

test('a flow that gave its place to another closes its record, which can still be asked for; a request that comes late has one of its own', async () => {
  await using world = await serveFlows(['double']);
  const ask = async (): Promise<{ readonly run: string; readonly place: string }> => {
    const init = { method: 'POST', body: JSON.stringify({ n: 2 }) };
    const answer = await fetch(`${world.server.url}/flows/double/runs`, init);
    const { run } = (await answer.json()) as { readonly run: string };
    return { run, place: `${world.server.url}/runs/${run}/0` };
  };
  const before = await ask();
  const replacement = await anotherOf(world);
  world.server.replace([replacement], []);
  const [retired] = world.flows as readonly [ServedFlow];
  await retired.retire();
  expect(recordsInUse(world)).toEqual([]);
  const found = await (await fetch(before.place)).json();
  expect(found).toMatchObject({ status: 'Completed', outputs: { twice: 4 } });

  const late = await retired.begin().run({ n: 5, more: {} });
  const after = await ask();
  await world.server.close();
  const { runs } = openProject(world.folder, { runsFolder: world.host.runsFolder });
  const ids = [before.run, late.place?.run, after.run];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) {
    await using record = await runs.open(id);
    expect(await record.rowCounts()).toMatchObject({ Completed: 1, Failed: 0, Canceled: 0 });
  }
  expect([recordsInUse(world), world.notices]).toEqual([[], []]);
});

async function anotherOf({ host }: ServedWorld): Promise<ServedFlow> {
  return await serveFlow(findServedFlow('double', host), { overrides: [], environment: {}, recorded: 1 }, host);
}

function recordsInUse({ host }: ServedWorld): readonly string[] {
  return readdirSync(host.runsFolder).filter((name) => name.endsWith('.lock'));
}
