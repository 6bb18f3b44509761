import { setTimeout as wait } from 'node:timers/promises';
import { workerWorld } from './worker-world.ts';

/**
 * Transactions a second that a worker asks of PostgreSQL: while it waits for work, and while it runs 10 rows a second of 0.8 s each.
 *
 *     node packages/cli/build.ts && node bench/workers/asked.ts [seconds of each, 30]
 */
const seconds = Number(process.argv[2] ?? 30);

await using world = await workerWorld();

async function transactionsPerSecond(): Promise<string> {
  const sql = `SELECT xact_commit::double precision AS commits, extract(epoch FROM clock_timestamp())::double precision AS at
    FROM pg_stat_database WHERE datname = current_database()`;
  const look = async () =>
    (await world.database.query<{ commits: number; at: number }>(sql))[0] ?? { commits: 0, at: 0 };
  const from = await look();
  await wait(seconds * 1000);
  const to = await look();
  return ((to.commits - from.commits) / (to.at - from.at)).toFixed(1);
}

const [worker] = await world.workers(1, '--concurrency', '8');
process.stdout.write(`waiting: ${await transactionsPerSecond()} a second\n`);
const data = world.data(seconds * 20);
const begun = world.flow('run', 'slow', '--name', 'r', '--detach', '--quiet', '--data', data);
await new Promise((resolve) => begun.once('exit', resolve));
await wait(5000);
process.stdout.write(`at work: ${await transactionsPerSecond()} a second\n`);
await worker?.kill();
