import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  allOf,
  checkRunFile,
  continueSqliteRunLog,
  createSqliteRunLog,
  openSqliteRunReader,
  type RunLog,
  type RunReader,
} from '@unroll/engine';
import { projectOn } from '@unroll/project';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { openRunLog } from '../record/postgres-run-log.ts';
import { pullRun } from '../record/pull-run.ts';
import { createRun, findStoredRun } from '../record/stored-run.ts';
import { testHost } from '../testing/engine-world.ts';
import { type FreshDatabase, freshDatabase } from '../testing/fresh-database.ts';
import { RandomRun, randomInfo, type Step } from '../testing/random-appends.ts';
import { engineCatalog } from './engine-catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-and-postgres-'));
let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openDatabase(fresh.url);
  await migrate(database);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

const rows = 8;

/** Everything that can be asked of a run. */
async function told(reader: RunReader): Promise<unknown> {
  const places = Array.from({ length: rows }, (_, line) => [0, 1].map((repeat) => ({ line, repeat }))).flat();
  const projections = [
    { nodes: ['rank', 'ask'] },
    { nodes: ['要約'], ends: ['fetch', 'late', 'mean'], values: false },
    { nodes: [], ends: ['ask'] },
    { nodes: [], values: false },
  ];
  const views = await Promise.all(projections.map((wanted) => allOf(reader.readRows(wanted))));
  return {
    info: reader.info,
    nodes: await Promise.all(places.map(({ line, repeat }) => reader.nodes(line, repeat))),
    row: await Promise.all(places.map(({ line, repeat }) => reader.row(line, repeat))),
    rows: await allOf(reader.rows()),
    records: await allOf(reader.records()),
    rowEnds: (await allOf(reader.rowEnds())).map((end) => ({ ...end, nodes: byNode(end.nodes) })),
    views: views.map((seen) =>
      seen.map(({ records, nodes, ...view }) => ({
        ...view,
        nodes: byNode(nodes),
        records: byNode([...records.values()]),
      })),
    ),
    digests: await allOf(reader.digests()),
    counts: [await reader.rowCounts(), await reader.unfinishedCount(), await reader.tokens(), await reader.nextLine()],
    nodeCounts: (await reader.nodeCounts()).map((count) => ({ ...count, durationMs: count.durationMs.toFixed(3) })),
    metrics: Object.entries(await reader.metrics()),
  };
}

function byNode<T extends { readonly node: string; readonly kind?: string }>(items: readonly T[]): readonly T[] {
  return items.toSorted((one, other) => `${one.node} ${one.kind}`.localeCompare(`${other.node} ${other.kind}`));
}

async function carryOut(log: RunLog, steps: readonly Step[]): Promise<void> {
  await using store = log;
  for (const { isWaitedFor, on } of steps) {
    const done = on(store);
    if (isWaitedFor) await done;
  }
  await store.ensureKept();
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'run %i reads equal from the file and from PostgreSQL',
  async (seed) => {
    const random = new RandomRun(seed, rows);
    const parts = [random.steps(30), random.steps(20)] as const;
    const info = { ...randomInfo, id: `random-${seed}` };
    const path = join(folder, `${info.id}.run`);
    await carryOut(createSqliteRunLog(path, info), parts[0]);
    await carryOut(continueSqliteRunLog(path), parts[1]);
    await createRun(database, info);
    for (const steps of parts) await carryOut(await openRunLog(database, info.id), steps);
    const engine = { isFirst: false, catalog: async () => engineCatalog(database) };
    const there = projectOn({ ...testHost(folder, () => undefined), runsFolder: join(folder, 'none'), engine }).runs;
    const here = projectOn({ ...testHost(folder, () => undefined), runsFolder: folder }).runs;
    await using file = await here.open(info.id);
    await using reader = await there.open(info.id);
    const expected = await told(file);
    expect(await told(reader)).toEqual(expected);
    const pulledPath = join(folder, `${seed}-pulled.run`);
    await pullRun(database, await findStoredRun(database, info.id), pulledPath);
    await using pulled = openSqliteRunReader(pulledPath);
    expect(await told(pulled)).toEqual(expected);
    expect(await checkRunFile(pulledPath)).toEqual([]);
    expect(await there.summary(info.id)).toEqual(await here.summary(info.id));
  },
);
