import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database, Queryable } from '../database/database.ts';
import { freshEngine } from '../testing/index.ts';
import { dropBundles } from './drop-bundles.ts';
import type { FlowBundle } from './flow-bundle.ts';
import { bundleFile, storeBundle } from './stored-bundles.ts';

type InSchema = Queryable & { readonly schema: string };

/** A bundle of files whose names are what they hold; `tape` is its cassette. */
function bundleOf(id: string, names: readonly string[], tape?: string): FlowBundle {
  const file = (path: string) => ({ path, digest: digestOf(path), size: path.length });
  const answers = tape === undefined ? {} : { cassette: file(tape) };
  const contents = new Map(
    [...names, ...(tape === undefined ? [] : [tape])].map((name) => [digestOf(name), Buffer.from(name)]),
  );
  return { id, manifest: { flow: 'flow.dag.yaml', files: names.map(file), ...answers }, contents };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As whoever hands over a run stores it. */
async function storeRun(name: string, bundle: FlowBundle, within: InSchema): Promise<void> {
  await storeBundle(bundle, within);
  await needBundle(name, bundle, within);
}

async function needBundle(name: string, { id }: FlowBundle, within: InSchema): Promise<void> {
  const [run] = await within.query<{ number: number }>(
    `INSERT INTO unroll.run (id, info, record_format) VALUES ($1, '{}', 1) RETURNING number`,
    [name],
  );
  const sql = `INSERT INTO unroll.run_work (run, bundle, settings, version) VALUES ($1, $2, '{}', '')`;
  await within.query(sql, [run?.number, id]);
}

async function kept(database: Database): Promise<readonly string[]> {
  const names = ['flow.dag.yaml', 'ask.ts', 'say.ts', 'shared.txt', 'tape'];
  const rows = await database.query<{ digest: string }>('SELECT digest FROM unroll.bundle_file');
  const digests = rows.map(({ digest }) => digest);
  const bundles = await database.query<{ id: string }>('SELECT id FROM unroll.bundle ORDER BY id');
  return [...bundles.map(({ id }) => id), ...names.filter((name) => digests.includes(digestOf(name)))];
}

const remove = async (run: string, database: Database): Promise<void> => {
  await database.query('DELETE FROM unroll.run WHERE id = $1', [run]);
  await dropBundles(database);
};

const asking = bundleOf('asking', ['flow.dag.yaml', 'ask.ts', 'shared.txt']);
const saying = bundleOf('saying', ['say.ts', 'shared.txt'], 'tape');

test('files leave with the last flow that has them, and a flow with its last run', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  await storeRun('one', asking, database);
  await storeRun('again', asking, database);
  await storeRun('two', saying, database);
  const all = ['asking', 'saying', 'flow.dag.yaml', 'ask.ts', 'say.ts', 'shared.txt', 'tape'];
  await remove('one', database);
  expect(await kept(database)).toEqual(all);
  await remove('again', database);
  expect(await kept(database)).toEqual(['saying', 'say.ts', 'shared.txt', 'tape']);
  // Whoever may write there may write any manifest.
  await database.query(`INSERT INTO unroll.bundle (id, manifest) VALUES ('damaged', '{"files": 7, "cassette": [{}]}')`);
  await remove('two', database);
  expect(await kept(database)).toEqual([]);
});

test('what somebody is just handing over stays, whether it was there or is new', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  await storeRun('one', asking, database);
  await database.query('DELETE FROM unroll.run');
  const gone = await database.transaction(async (transaction) => {
    await storeBundle(asking, transaction);
    await dropBundles(database);
    await needBundle('two', asking, transaction);
    return 'stored';
  });
  expect(gone).toBe('stored');
  await dropBundles(database);
  expect(await kept(database)).toEqual(['asking', 'flow.dag.yaml', 'ask.ts', 'shared.txt']);
  const [file] = asking.manifest.files;
  if (file === undefined) throw new Error('bug: a bundle without files');
  expect(Buffer.from(await bundleFile(file, database)).toString()).toBe('flow.dag.yaml');
});

test('who hands over a flow that is just removed stores it anew', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  await storeRun('one', asking, database);
  await database.query('DELETE FROM unroll.run');
  const isRemoving = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const removing = database.transaction(async (transaction) => {
    await transaction.query('DELETE FROM unroll.bundle');
    await transaction.query('DELETE FROM unroll.bundle_file');
    isRemoving.resolve();
    await mayEnd.promise;
  });
  await isRemoving.promise;
  const storing = database.transaction((transaction) => storeRun('two', asking, transaction));
  const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%KEY SHARE%'`;
  await expect.poll(() => database.query(waits), { timeout: 30_000 }).toHaveLength(1);
  mayEnd.resolve();
  await Promise.all([removing, storing]);
  expect(await kept(database)).toEqual(['asking', 'flow.dag.yaml', 'ask.ts', 'shared.txt']);
});
