import { defaultBulkSettings } from '@unroll/project';
import { runOnEngine } from '../packages/queue/src/coordinator/run-on-engine.ts';
import { doubleFlow, numbers } from '../packages/queue/src/testing/double-flow.ts';
import { engineWorld } from '../packages/queue/src/testing/engine-world.ts';
import { startWorker } from '../packages/queue/src/testing/local-worker.ts';

/** What a run on workers asks of PostgreSQL for each row: WAL, commits, bytes that stay; for the estimate in docs/internals/engine-scale.md. */
const rows = Number(process.argv[2] ?? 5000);
await using world = await engineWorld();
const { database, host } = world;
world.write({ ...doubleFlow, 'n.jsonl': numbers(rows) });

interface Asked {
  readonly wal: number;
  readonly commits: number;
  readonly bytes: number;
}

async function asked(): Promise<Asked> {
  const sql = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::double precision AS wal,
    (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::double precision AS commits,
    pg_database_size(current_database())::double precision AS bytes`;
  const [found] = await database.query<Asked>(sql);
  if (found === undefined) throw new Error('bug: sums of nothing');
  return found;
}

const before = await asked();
const beganAt = performance.now();
{
  await using _one = startWorker(world, { name: 'one' });
  await using _two = startWorker(world, { name: 'two' });
  const bulk = { ...defaultBulkSettings(host), flow: 'double', data: 'n.jsonl', name: 'r' };
  await runOnEngine({ bulk, durableNodes: false }, database, host, new AbortController().signal);
}
const seconds = (performance.now() - beganAt) / 1000;
const after = await asked();
const perRow = (of: keyof Asked): number => (after[of] - before[of]) / rows;
process.stdout.write(
  `${rows} rows, two workers: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s; a row: ${Math.round(perRow('wal'))} B of WAL, ` +
    `${perRow('commits').toFixed(2)} commits, ${Math.round(perRow('bytes'))} B on disk\n`,
);
