import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ended, type Worker, workerWorld } from './worker-world.ts';

/**
 * Two workers over rows of 0.8 s each; one of them is killed with -9 at a random moment, again and again, and another one started. Lost
 * are the rows that it had begun and that are not in the record. Told is the time from each kill until the first and the last of them runs
 * again on another worker; the next kill is a random moment after they are recorded, since rows that were hit twice run alone, later.
 *
 *     node packages/cli/build.ts && node bench/workers/recovery.ts [kills, 20] [seconds at most, 12; above it exits with 1]
 */
const [kills = 20, maxSeconds = 12] = process.argv.slice(2).map(Number);
/** As many as two workers run in 20 seconds for each kill. */
const rows = kills * 400;
const lookMs = 100;

await using world = await workerWorld();
const { schema } = world.database;
const data = world.data(rows);
const workers: Worker[] = [...(await world.workers(2, '--concurrency', '8'))];
let isOver = false;
const run = world.flow('run', 'slow', '--name', 'r', '--quiet', '--data', data);
const over = ended(run).finally(() => {
  isOver = true;
});

interface Begun {
  readonly row: number;
  readonly process: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** As the rows themselves told. */
function begun(): readonly Begun[] {
  const lines = readFileSync(world.begunFile, { encoding: 'utf8', flag: 'a+' }).trimEnd().split('\n').filter(Boolean);
  return lines.map((line) => {
    const [row = 0, process = 0, at = 0] = line.split(' ').map(Number);
    return { row, process, at };
  });
}

async function recorded(): Promise<ReadonlySet<number>> {
  const found = await world.database.query<{ line: number }>(`SELECT line FROM ${schema}.row_end`);
  return new Set(found.map(({ line }) => line));
}

/** Both of them have rows in flight. */
function areBothAtWork(): boolean {
  const since = Date.now() - 2000;
  const lately = new Set(begun().flatMap(({ process, at }) => (at > since ? [process] : [])));
  return workers.every(({ process }) => lately.has(process));
}

interface Recovery {
  readonly lost: number;
  /** Seconds since the kill. */
  readonly first: number;
  readonly last: number;
}

async function recovery(victim: Worker): Promise<Recovery> {
  const killedAt = Date.now();
  await victim.kill();
  workers.splice(workers.indexOf(victim), 1, ...(await world.workers(1, '--concurrency', '8')));
  const there = await recorded();
  const lost = new Set(
    begun().flatMap(({ row, process }) => (process === victim.process && !there.has(row) ? [row] : [])),
  );
  const again = (): ReadonlyMap<number, number> =>
    new Map(
      begun().flatMap(({ row, process, at }) => (lost.has(row) && process !== victim.process ? [[row, at]] : [])),
    );
  while (again().size < lost.size) await wait(lookMs);
  for (;;) {
    const now = await recorded();
    if ([...lost].every((row) => now.has(row))) break;
    await wait(lookMs);
  }
  const seconds = [...again().values()].map((at) => (at - killedAt) / 1000).sort((one, other) => one - other);
  return { lost: lost.size, first: seconds[0] ?? Number.NaN, last: seconds.at(-1) ?? Number.NaN };
}

const found: number[] = [];
while (found.length < kills && !isOver) {
  while (!isOver && !areBothAtWork()) await wait(lookMs);
  await wait(Math.random() * 3000);
  const victim = workers[Math.floor(Math.random() * workers.length)];
  if (victim === undefined) throw new Error('bug: no worker');
  const { lost, first, last } = await recovery(victim);
  if (lost === 0) continue;
  found.push(last);
  process.stdout.write(
    `kill ${found.length}: ${lost} rows lost, run again after ${first.toFixed(1)} to ${last.toFixed(1)} s\n`,
  );
}
world.flow('stop', 'r');
await over.catch(() => undefined);
const sorted = found.sort((one, other) => one - other);
const within = sorted.filter((seconds) => seconds <= maxSeconds).length;
process.stdout.write(
  `the last lost row ran again after ${sorted[found.length >> 1]?.toFixed(1)} s (median), ${sorted.at(-1)?.toFixed(1)} s at most; ` +
    `${within} of ${found.length} within ${maxSeconds} s\n`,
);
for (const worker of workers) await worker[Symbol.asyncDispose]();
process.exitCode = within === kills ? 0 : 1;
