import { loadavg } from 'node:os';
import { megabytesOf, ownMegabytesUnder, treeCpuSeconds } from './process-cpu.ts';
import { ended, workerWorld } from './worker-world.ts';

/**
 * Many rows of five nodes without work on workers, from the command line to the file that it leaves: rows that have ended and memory of
 * the command line, of the workers and of PostgreSQL (without the buffers that its processes share), after each twentieth of the rows and
 * every 20 seconds of what comes before and after them; and the most that each of them had in all that time.
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

interface Memory {
  readonly own: number;
  readonly workers: readonly number[];
  readonly server: number;
}

let most: Memory = { own: 0, workers: workers.map(() => 0), server: 0 };

/** Megabytes now. */
function memory(): Memory {
  const now = {
    own: isOver ? 0 : megabytesOf(run.pid ?? 0),
    workers: workers.map((worker) => megabytesOf(worker.process)),
    server: ownMegabytesUnder(world.postmaster),
  };
  most = {
    own: Math.max(most.own, now.own),
    workers: most.workers.map((peak, at) => Math.max(peak, now.workers[at] ?? 0)),
    server: Math.max(most.server, now.server),
  };
  return now;
}

function memoryText({ own, workers, server }: Memory): string {
  return `command line ${own} MB, workers ${workers.join(' and ')} MB, PostgreSQL ${server} MB`;
}

async function note(what: string): Promise<void> {
  const sql = 'SELECT pg_database_size(current_database()) AS bytes';
  const [size] = await world.database.query<{ bytes: number }>(sql);
  const cpu = workers.map((worker) => treeCpuSeconds(worker.process).toFixed(0)).join(' and ');
  const server = treeCpuSeconds(world.postmaster).toFixed(0);
  print(
    `${seconds()}: ${what}; ${memoryText(memory())}; database ${Math.round((size?.bytes ?? 0) / 1e6)} MB; ` +
      `CPU so far: workers ${cpu} s, PostgreSQL ${server} s; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

const noteMs = 20_000;
let next = 0;
let notedAt = 0;
while (!isOver) {
  const share = await endedShare();
  const isTime = (share === 0 || share === 1) && performance.now() - notedAt > noteMs;
  memory();
  if (share >= next || isTime) {
    await note(`${Math.round(share * rows)} rows`);
    notedAt = performance.now();
    next = share === 1 ? Number.POSITIVE_INFINITY : Math.floor(share * 20 + 1) / 20;
  }
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, lookMs))]);
}
await over;
await note('the file is there');
const sql = `SELECT extract(epoch FROM ended_at - began_at)::float AS seconds FROM ${schema}.run_work`;
const [work] = await world.database.query<{ seconds: number }>(sql);
print(
  `at most: ${memoryText(most)}\nthe run itself ${work?.seconds.toFixed(0)} s, ${Math.round(rows / (work?.seconds ?? 0))} rows/s; all ${seconds()}`,
);
for (const worker of workers) await worker[Symbol.asyncDispose]();
