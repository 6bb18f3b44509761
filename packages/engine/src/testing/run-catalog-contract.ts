import assert from 'node:assert/strict';
import { allOf } from '../record/batches.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunCatalog } from '../record/run-catalog.ts';
import type { RunInfo } from '../record/run-info.ts';
import type { RunLog } from '../record/run-log.ts';
import { openSqliteRunReader } from '../record/sqlite-run-log.ts';
import type { ContractCase } from './run-log-contract.ts';

/** A catalogue without runs, and how runs come into it. */
export interface CatalogWorld extends AsyncDisposable {
  readonly catalog: RunCatalog;
  /** Makes a run that nobody works on; later ones are newer. */
  create(info: RunInfo): Promise<RunLog>;
  /** Somebody begins to work on a run. @returns ends that, before its last row or after */
  work(id: string): Promise<(how: 'stopped' | 'ended') => Promise<void>>;
}

/** What every implementation of `RunCatalog` keeps to. @param open a world of its own for each call */
export function runCatalogContract(open: () => Promise<CatalogWorld>): readonly ContractCase[] {
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => {
      await using world = await open();
      await check(world);
    },
  }));
}

const infoOf = (id: string): RunInfo => ({
  ...{ id, flowPath: 'flows/ask', flowName: 'ask', flowDigest: 'abc', startedAt: 1_000 },
  nodes: [{ name: 'a', kind: 'python' }],
});

const nodeOf = (line: number): NodeRun => ({
  ...{ line, node: 'a', kind: 'python', status: 'Completed' },
  inputs: { query: '個人情報とは' },
  output: line,
});

const rowOf = (line: number): RowRun => ({
  ...{ line, status: 'Completed', inputs: { query: '個人情報とは' }, outputs: { o: line } },
  ...{ startedAt: 1, durationMs: 2 },
});

async function made({ create }: CatalogWorld, id: string, rows = 1): Promise<void> {
  await using log = await create(infoOf(id));
  for (let line = 0; line < rows; line += 1) await log.append([nodeOf(line)], rowOf(line));
  await log.ensureKept();
}

const cases: Readonly<Record<string, (world: CatalogWorld) => Promise<void>>> = {
  'has no runs at first': async ({ catalog }) => {
    assert.deepEqual([await catalog.ids(), [...(await catalog.stamps())]], [[], []]);
    assert.notEqual(catalog.shown, '');
  },
  'lists its runs, newest first': async (world) => {
    const listed = ['20261121-064502-個人-情報', '20261121-064501-a', '20261121-064500-b'];
    for (const id of listed.toReversed()) await made(world, id);
    assert.deepEqual(await world.catalog.ids(), listed);
    assert.deepEqual([...(await world.catalog.stamps()).keys()], listed);
  },
  'opens a run': async (world) => {
    await made(world, 'other');
    await made(world, 'r', 3);
    await using reader = await world.catalog.open('r');
    assert.deepEqual(reader.info, infoOf('r'));
    assert.deepEqual(await reader.row(2), rowOf(2));
    assert.deepEqual(await reader.nodes(1), [nodeOf(1)]);
  },
  'opens a run while it is written': async ({ catalog, create }) => {
    await using log = await create(infoOf('r'));
    await using reader = await catalog.open('r');
    assert.deepEqual(await allOf(reader.rows()), []);
    await log.append([nodeOf(0)], rowOf(0));
    await log.ensureKept();
    assert.deepEqual(await allOf(reader.rows()), [rowOf(0)]);
  },
  'knows no run that is not there': async (world) => {
    await made(world, 'run');
    for (const id of ['ru', 'none', '']) {
      const { catalog } = world;
      const looked = [() => catalog.open(id), () => catalog.stateOf(id), () => catalog.stampOf(id)];
      const others = [() => catalog.file(id), () => catalog.remove(id), () => catalog.mark(id, (marks) => marks)];
      for (const ask of [...looked, ...others]) await assert.rejects(ask, { code: 'RunNotFound' });
    }
    assert.deepEqual(await world.catalog.ids(), ['run']);
  },
  'tells whether anybody is at work on a run': async (world) => {
    const { catalog, work } = world;
    await made(world, 'r');
    await made(world, 'other');
    const states = async () => [await catalog.stateOf('r'), await catalog.stateOf('other')];
    assert.deepEqual(await states(), ['free', 'free']);
    const stop = await work('r');
    assert.deepEqual(await states(), ['running', 'free']);
    await stop('stopped');
    assert.deepEqual(await states(), ['stopped', 'free']);
    const end = await work('r');
    assert.deepEqual(await states(), ['running', 'free']);
    await end('ended');
    assert.deepEqual(await states(), ['free', 'free']);
  },
  'has another stamp of a run once there is more of it, its state changed, or it is another run': async (world) => {
    const { catalog, work } = world;
    await made(world, 'other');
    const other = await catalog.stampOf('other');
    const seen = new Set<string>();
    const isNew = async (what: string): Promise<void> => {
      const stamp = await catalog.stampOf('r');
      assert.equal(seen.has(stamp), false, what);
      seen.add(stamp);
      assert.equal(await catalog.stampOf('r'), stamp, `${what}: nothing has changed since`);
      assert.deepEqual(
        new Map(await catalog.stamps()),
        new Map([
          ['r', stamp],
          ['other', other],
        ]),
      );
    };
    {
      await using log = await world.create(infoOf('r'));
      await isNew('made');
      await log.append([nodeOf(0)], rowOf(0));
      await log.ensureKept();
      await isNew('a row');
    }
    const end = await work('r');
    await isNew('work has begun');
    await end('stopped');
    await isNew('work has ended');
    await catalog.remove('r');
    await made(world, 'r');
    await isNew('another run');
  },
  'gives a run as a record file': async (world) => {
    await made(world, 'r', 3);
    await using file = await world.catalog.file('r');
    await using copy = openSqliteRunReader(file.path);
    await using reader = await world.catalog.open('r');
    assert.deepEqual(copy.info, reader.info);
    assert.deepEqual(await allOf(copy.records()), await allOf(reader.records()));
    assert.deepEqual(await allOf(copy.digests()), await allOf(reader.digests()));
  },
  'keeps what is said of a run beside its record, and as long as that': async (world) => {
    const { catalog } = world;
    await made(world, 'r');
    await made(world, 'other');
    assert.deepEqual(await catalog.marks(), new Map());
    const stamps = await catalog.stamps();
    const marks = { name: '修正前 "1"', note: 'one\ntwo', tags: ['good', '比較'] };
    assert.deepEqual(await catalog.mark('r', () => marks), marks);
    const tagged = (tag: string) => catalog.mark('r', (now) => ({ ...now, tags: [...now.tags, tag] }));
    await Promise.all(['a', 'b', 'c', 'd'].map(tagged));
    const { tags: now = [], ...rest } = (await catalog.marks()).get('r') ?? {};
    assert.deepEqual(
      [rest, now.toSorted()],
      [{ name: marks.name, note: marks.note }, ['a', 'b', 'c', 'd', 'good', '比較']],
    );
    assert.deepEqual(await catalog.stamps(), stamps);
    {
      await using reader = await catalog.open('r');
      assert.deepEqual(reader.info, infoOf('r'));
    }
    await catalog.mark('r', () => ({ tags: [] }));
    assert.deepEqual(await catalog.marks(), new Map());
    await catalog.mark('r', () => marks);
    await catalog.remove('r');
    await made(world, 'r');
    assert.deepEqual(await catalog.marks(), new Map());
  },
  'removes a run, and no other': async (world) => {
    for (const id of ['20261121-0645-one', '20261121-0646-two', '20261121-0647-three']) await made(world, id);
    await world.catalog.remove('20261121-0646-two');
    assert.deepEqual(await world.catalog.ids(), ['20261121-0647-three', '20261121-0645-one']);
    await assert.rejects(world.catalog.open('20261121-0646-two'), { code: 'RunNotFound' });
    await using reader = await world.catalog.open('20261121-0645-one');
    assert.deepEqual(await allOf(reader.rows()), [rowOf(0)]);
  },
  'removes no run that somebody works on': async (world) => {
    await made(world, 'r');
    const end = await world.work('r');
    await assert.rejects(world.catalog.remove('r'), { code: 'RunInUse' });
    assert.deepEqual(await world.catalog.ids(), ['r']);
    await end('stopped');
    await world.catalog.remove('r');
    assert.deepEqual(await world.catalog.ids(), []);
  },
};
