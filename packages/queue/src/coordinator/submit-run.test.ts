import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';
import { detachOnEngine, runOnEngine } from './run-on-engine.ts';

const never = new AbortController().signal;

function submitted(world: EngineWorld, more: object = {}) {
  const bulk = { ...defaultBulkSettings(world.host), flow: 'double', data: 'n.jsonl', name: 'r', ...more };
  return { bulk, durableNodes: false };
}

test('a name that is taken is refused, and does nothing to the run that has it', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(20) });
  await detachOnEngine(submitted(world), world.database, world.host);
  const again = detachOnEngine(submitted(world), world.database, world.host);
  await expect(again).rejects.toMatchObject({ code: 'RunExists' });
  await using _worker = startWorker(world);
  await expect
    .poll(async () => await world.database.query('SELECT state FROM unroll.run_work'), { timeout: 30_000 })
    .toEqual([{ state: 'ended' }]);
});

test.for([
  [{ environment: { TONE: 'kind' } }, 'the value of TONE does not go to workers as it is: it may be a secret'],
  [
    { init: { model: 'm' } },
    'arguments of a class that is a flow (--init) do not go to workers as they are: one may be a secret',
  ],
  [{ cassette: { record: 'tape' } }, 'a cassette is recorded by one process, and workers are many'],
] as const)('%j stays here', async ([more, message]) => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const refused = detachOnEngine(submitted(world, more), world.database, world.host);
  await expect(refused).rejects.toMatchObject({ message });
  expect(await world.database.query('SELECT 1 FROM unroll.run')).toEqual([]);
});

test('pictures go with their rows: workers do not have the files', async () => {
  await using world = await engineWorld();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  world.write({
    'see/flow.dag.yaml': `inputs: {picture: {type: image}}
outputs: {bytes: {type: string, reference: "\${see.output}"}}
nodes:
- {name: see, type: python, source: {type: code, path: see.ts}, inputs: {picture: "\${inputs.picture}"}}
`,
    'see/see.ts': 'export const see = ({ picture }: { picture: unknown }) => JSON.stringify(picture);\n',
    'n.jsonl': '{"picture": {"data:image/png;path": "dot.png"}}\n',
  });
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(world.folder, 'dot.png'), png);
  await detachOnEngine(submitted(world, { flow: 'see' }), world.database, world.host);
  const here = await world.project.runDataset('see', { data: 'n.jsonl', name: 'here' }).result;
  rmSync(join(world.folder, 'dot.png'));
  await using _worker = startWorker(world);
  await expect
    .poll(async () => await world.database.query('SELECT state FROM unroll.run_work'), { timeout: 30_000 })
    .toEqual([{ state: 'ended' }]);
  const { openRunReader } = await import('../record/postgres-run-reader.ts');
  await using there = await openRunReader(world.database, 'r');
  await using store = await world.project.runs.open('here');
  expect((await there.row(0))?.outputs).toEqual((await store.row(0))?.outputs);
  expect(here.status).toBe('Completed');
});

test('nothing of a run is there where its data breaks off', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const missing = runOnEngine(submitted(world, { data: 'missing.jsonl' }), world.database, world.host, never);
  await expect(missing).rejects.toMatchObject({ code: 'DataNotFound' });
  expect(await world.database.query('SELECT 1 FROM unroll.run')).toEqual([]);
});
