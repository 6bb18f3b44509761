import { megabytesOf, treeCpuSeconds } from './process-cpu.ts';
import { ended, workerWorld } from './worker-world.ts';

/**
 * Many rows of five nodes without work on workers, from the command line to the file that it leaves: rows that have ended and memory of
 * the command line and of the workers, after each twentieth.
 *
 *     node packages/cli/build.ts && node bench/workers/million.ts [rows, 1,000,000] [workers, 2]
 */
const [rows = 1_000_000, count = 2] = process.argv.slice(2).map(Number);
const lookMs = 2000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

await using world = await workerWorld();
const { schema } = world.database;
const data = world.data(rows);
const workers = await world.workers(count, '--concurrency', '4');
const beganAt = performance.now();
const seconds = (): string => `${((performance.now() - beganAt) / 1000).toFixed(0)} s`;
const run = world.flow('run', 'noop', '--name', 'million', '--quiet', '--data', data);
let isOver = false;
const over = ended(run).finally(() => {
  isOver = true;
});

/** Of chunks, as far as they are done: counting rows would read them all. */
async function endedShare(): Promise<number> {
  const sql = `SELECT count(*) FILTER (WHERE is_done)::float / greatest(count(*), 1) AS share FROM ${schema}.chunk`;
  return (await world.database.query<{ share: number }>(sql))[0]?.share ?? 0;
}

async function note(what: string): Promise<void> {
  const sql = 'SELECT pg_database_size(current_database()) AS bytes';
  const [size] = await world.database.query<{ bytes: number }>(sql);
  const own = isOver ? 'ended' : `${megabytesOf(run.pid ?? 0)} MB`;
  const memory = workers.map((worker) => `${megabytesOf(worker.process)} MB`).join(', ');
  const cpu = workers.map((worker) => treeCpuSeconds(worker.process).toFixed(0)).join(' and ');
  const server = treeCpuSeconds(world.postmaster).toFixed(0);
  print(
    `${seconds()}: ${what}; command line ${own}, workers ${memory}, database ${Math.round((size?.bytes ?? 0) / 1e6)} MB; ` +
      `CPU so far: workers ${cpu} s, PostgreSQL ${server} s`,
  );
}

let next = 0;
while (!isOver) {
  const share = await endedShare();
  if (share >= next) {
    await note(`${Math.round(share * rows)} rows`);
    next = share === 1 ? Number.POSITIVE_INFINITY : Math.floor(share * 20 + 1) / 20;
  }
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, lookMs))]);
}
await over;
await note('the file is there');
const sql = `SELECT extract(epoch FROM ended_at - began_at)::float AS seconds FROM ${schema}.run_work`;
const [work] = await world.database.query<{ seconds: number }>(sql);
print(
  `the run itself ${work?.seconds.toFixed(0)} s, ${Math.round(rows / (work?.seconds ?? 0))} rows/s; all ${seconds()}`,
);
for (const worker of workers) await worker[Symbol.asyncDispose]();
