import { join } from 'node:path';
import { createSqliteRunLog, makeFolder, type NodeRun, type RowRun, type RunInfo } from '@unroll/engine';
import { Studio } from '@unroll/project/studio';
import type { LiveEvent } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { openRunLog } from '../record/postgres-run-log.ts';
import { createRun } from '../record/stored-run.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
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
