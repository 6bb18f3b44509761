import { setTimeout as wait } from 'node:timers/promises';
import { ended, type Worker, workerWorld } from './worker-world.ts';

/**
 * Two workers over rows of 0.8 s each; one of them is killed with -9 at a random moment, again and again, and another one started. Told is
 * the time from each kill until the last of its jobs was taken by another worker, by the clock of the database.
 *
 *     node packages/cli/build.ts && node bench/workers/recovery.ts [rows, 5,000] [kills, 20]
 */
const [rows = 5000, kills = 20] = process.argv.slice(2).map(Number);

await using world = await workerWorld();
const { schema } = world.database;
const data = world.data(rows);
const workers: Worker[] = [...(await world.workers(2, '--concurrency', '8'))];
let isOver = false;
const over = ended(world.flow('run', 'slow', '--name', 'r', '--quiet', '--data', data)).finally(() => {
  isOver = true;
});

interface Taken {
  readonly jobs: number;
  /** Seconds since the kill until the last of them. */
  readonly seconds: number;
}

async function takenSince(killedAt: number): Promise<Taken> {
  const sql = `SELECT count(*) AS jobs, extract(epoch FROM max(at))::float - $1 AS seconds FROM ${schema}.work_note
    WHERE extract(epoch FROM at) > $1`;
  return (await world.database.query<Taken>(sql, [killedAt]))[0] ?? { jobs: 0, seconds: 0 };
}

/** Both of them have rows in flight, as they told within the last seconds. */
async function areBothAtWork(): Promise<boolean> {
  const sql = `SELECT 1 FROM ${schema}.worker WHERE works <> '{}' AND seen_at > clock_timestamp() - interval '3 seconds'`;
  return (await world.database.query(sql)).length >= 2;
}

const found: number[] = [];
while (found.length < kills && !isOver) {
  while (!isOver && !(await areBothAtWork())) await wait(200);
  await wait(Math.random() * 3000);
  const victim = workers.shift();
  await victim?.kill();
  const [now] = await world.database.query<{ at: number }>('SELECT extract(epoch FROM clock_timestamp())::float AS at');
  const killedAt = now?.at ?? 0;
  workers.push(...(await world.workers(1, '--concurrency', '8')));
  while (!isOver && (await takenSince(killedAt)).jobs === 0) await wait(200);
  // It may have had a second job.
  await wait(1500);
  const { jobs, seconds } = await takenSince(killedAt);
  if (jobs > 0) found.push(seconds);
  process.stdout.write(`kill ${found.length}: ${jobs} jobs, the last taken after ${seconds?.toFixed(1)} s\n`);
}
await over;
const [count] = await world.database.query<{ rows: number }>(
  `SELECT count(*) AS rows FROM ${schema}.row_end WHERE status = 0`,
);
const sorted = found.sort((one, other) => one - other);
process.stdout.write(
  `${found.length} kills over ${rows} rows: taken again after ${sorted[found.length >> 1]?.toFixed(1)} s (median), ` +
    `${sorted.at(-1)?.toFixed(1)} s at most; ${count?.rows} rows completed\n`,
);
for (const worker of workers) await worker[Symbol.asyncDispose]();
