import { join } from 'node:path';
import { createSqliteRunLog, makeFolder, type NodeRun, type RowRun, type RunInfo } from '@unroll/engine';
import { defaultBulkSettings } from '@unroll/project';
import { Studio } from '@unroll/project/studio';
import type { LiveEvent, WorkView } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { detachOnEngine } from '../coordinator/run-on-engine.ts';
import { openRunLog } from '../record/postgres-run-log.ts';
import { createRun } from '../record/stored-run.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { gatedFlow, startGate } from '../testing/gate-server.ts';
import { numbers } from '../testing/index.ts';
import { startWorker } from '../testing/local-worker.ts';
import { engineCatalog } from './engine-catalog.ts';

const infoOf = (id: string, startedAt: number): RunInfo => ({
  ...{ id, flowPath: 'ask', flowName: 'ask', flowDigest: 'd', startedAt },
  nodes: [{ name: 'a', kind: 'python' }],
  data: { path: 'n.jsonl', total: 3 },
});

const nodeOf = (line: number): NodeRun => ({
  ...{ line, node: 'a', kind: 'python', status: 'Completed', startedAt: 1, durationMs: 2 },
  inputs: { n: line },
  output: line * 2,
});

const rowOf = (line: number): RowRun => ({
  ...{ line, status: 'Completed', inputs: { n: line }, outputs: { o: line * 2 }, startedAt: 1, durationMs: 2 },
});

function studioOf({ host, database }: EngineWorld, isFirst: boolean): Studio {
  const engine = { isFirst, catalog: async () => engineCatalog(database) };
  return new Studio({ ...host, engine }, { isReadOnly: false, opened: [] });
}

async function beginAtEngine({ database }: EngineWorld, id: string, startedAt: number): Promise<void> {
  const { number } = await createRun(database, infoOf(id, startedAt));
  await database.query(`INSERT INTO unroll.bundle (id, manifest) VALUES ('flow', '{}') ON CONFLICT DO NOTHING`);
  await database.query(`INSERT INTO unroll.run_work (run, bundle, settings, version) VALUES ($1, 'flow', '{}', '')`, [
    number,
  ]);
}

async function recordHere({ host }: EngineWorld, id: string, startedAt: number, rows: number): Promise<void> {
  makeFolder(host.runsFolder);
  await using log = createSqliteRunLog(join(host.runsFolder, `${id}.run`), infoOf(id, startedAt));
  for (let line = 0; line < rows; line += 1) await log.append([nodeOf(line)], rowOf(line));
}

test('a live run of an engine stands beside those of the folder, and is shown as it goes', {
  timeout: 60_000,
}, async () => {
  await using world = await engineWorld();
  await recordHere(world, 'older', 1000, 3);
  await beginAtEngine(world, 'live', 2000);
  await recordHere(world, 'newer', 3000, 3);
  await using studio = studioOf(world, true);
  const { runs } = await studio.runs({});
  expect(runs.map(({ id, status, rows, total }) => [id, status, rows.value, total])).toEqual([
    ['newer', 'Completed', 3, 3],
    ['live', 'Running', 0, 3],
    ['older', 'Completed', 3, 3],
  ]);
  const heard: LiveEvent[] = [];
  using _listening = studio.listen((event) => heard.push(event));
  await using log = await openRunLog(world.database, 'live');
  const toldRows = () => heard.flatMap((event) => (event.type === 'rows' && event.run === 'live' ? [event.rows] : []));
  let line = 0;
  // The first look at the runs may come after the first row.
  await expect
    .poll(
      async () => {
        await log.append([nodeOf(line)], rowOf(line));
        await log.ensureKept();
        line += 1;
        return toldRows().length;
      },
      { timeout: 30_000, interval: 1000 },
    )
    .toBeGreaterThan(0);
  const { rows } = await studio.rows('live', { isFresh: true });
  expect(rows.map((row) => row.line)).toEqual(Array.from({ length: line }, (_, at) => at));
  const page = await studio.row('live', { line: 0, repeat: 0 }, {});
  expect(JSON.stringify(page)).toContain('"a"');
  expect((await studio.run('live', {})).run).toMatchObject({ id: 'live', status: 'Running' });
  await world.database.query(`UPDATE unroll.run_work SET state = 'ended', ended_at = now()`);
  await expect
    .poll(
      () => heard.some((event) => event.type === 'run' && event.run.id === 'live' && event.run.status !== 'Running'),
      { timeout: 30_000 },
    )
    .toBe(true);
  await studio.remove('live');
  expect((await studio.runs({})).runs.map(({ id }) => id)).toEqual(['newer', 'older']);
});

test('who works on a run is seen as it goes; it is stopped and gone on with from the studio', {
  timeout: 120_000,
}, async () => {
  await using world = await engineWorld();
  await using gate = await startGate();
  const files = Object.entries(gatedFlow).map(([path, text]) => [path, text.replace('${process.env.GATE}', gate.url)]);
  world.write({ ...Object.fromEntries(files), 'n.jsonl': numbers(6) });
  await using studio = studioOf(world, true);
  const asked = { flow: 'gated', data: 'n.jsonl', name: 'seen', budget: { seconds: 3600 } };
  const bulk = { ...defaultBulkSettings(world.host), ...asked };
  const id = await detachOnEngine({ bulk, durableNodes: false }, world.database, world.host);
  const work = async () => (await studio.run(id, {})).work;
  expect(await work()).toMatchObject({ workers: [], nodes: [], isStopping: false });
  const heard: WorkView[] = [];
  using _listening = studio.listen((event) => event.type === 'work' && heard.push(event.work), { run: id });
  await using _worker = startWorker(world);
  // Before the worker, which ends once its rows have.
  using _open = { [Symbol.dispose]: () => gate.open() };
  await gate.whenAsked(4);
  const seen = () => heard.find(({ nodes }) => nodes[0]?.rows === 4);
  await expect.poll(seen, { timeout: 30_000 }).toBeDefined();
  expect(seen()).toMatchObject({
    workers: [{ name: 'w1', process: process.pid, rows: { value: 4 }, nodes: [{ name: 'ask', rows: 4 }] }],
    nodes: [{ name: 'ask', rows: 4 }],
    budget: [{ of: 'seconds', most: { value: 3_600_000 } }],
  });
  expect((await studio.run(id, {})).run.progress).toMatchObject({ canStop: true, isOurs: false });
  await expect(studio.begun.control(id, { do: 'resume', retryFailed: false })).rejects.toThrow('is under way');
  await studio.begun.control(id, { do: 'stop' });
  expect(await work()).toMatchObject({ isStopping: true });
  await expect(studio.begun.control(id, { do: 'resume', retryFailed: false })).rejects.toThrow('is being stopped');
  gate.open();
  const line = async () => (await studio.run(id, {})).run;
  await expect.poll(async () => (await line()).status, { timeout: 60_000 }).toBe('Canceled');
  expect(await line()).toMatchObject({ rows: { value: 4 }, canResume: 2 });
  await studio.begun.control(id, { do: 'resume', retryFailed: false });
  await expect.poll(async () => (await line()).status, { timeout: 60_000 }).toBe('Completed');
  expect(await studio.run(id, {})).not.toHaveProperty('work');
  await expect(studio.begun.control(id, { do: 'resume', retryFailed: false })).rejects.toThrow('is over');
});

test.for([
  [true, 0],
  [false, 3],
] as const)(
  'of two runs with one name the one is shown that the name means: of the engine first, %s',
  async ([isFirst, rows]) => {
    await using world = await engineWorld();
    await recordHere(world, 'r', 1000, 3);
    await beginAtEngine(world, 'r', 1000);
    await using studio = studioOf(world, isFirst);
    const shown = (await studio.runs({})).runs;
    expect(shown.map((run) => [run.id, run.rows.value])).toEqual([['r', rows]]);
    expect((await studio.run('r', {})).run.rows.value).toBe(rows);
  },
);
