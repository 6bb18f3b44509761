import { treeCpuSeconds } from './workers/process-cpu.ts';
import { ended, type WorkerWorld, workerWorld } from './workers/worker-world.ts';

/**
 * Rows of five nodes without work, in process and on workers, in turn, with as many rows in flight; and what a run on workers asks of
 * PostgreSQL for each row: WAL, commits, bytes that stay; for the estimate in docs/internals/engine-scale.md.
 *
 *     node packages/cli/build.ts && node bench/workers.bench.ts [rows] [rounds] [numbers of workers, "1,2"]
 */
const [rows = 20_000, rounds = 3] = process.argv.slice(2, 4).map(Number);
const counts = (process.argv[4] ?? '1,2').split(',').map(Number);
const concurrency = 8;

interface Cost {
  /** Seconds by the clock, of the command line as a whole. */
  readonly wall: number;
  /** Of a run on workers: from the moment it was there to its end, without what is done before and after. */
  readonly run: number;
  /** Seconds of CPU: of the command line, of workers, of PostgreSQL. */
  readonly own: number;
  readonly workers: number;
  readonly server: number;
  readonly asked: Asked;
}

interface Asked {
  readonly wal: number;
  readonly commits: number;
  readonly bytes: number;
}

async function asked({ database }: WorkerWorld): Promise<Asked> {
  const sql = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::double precision AS wal,
    (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::double precision AS commits,
    pg_database_size(current_database())::double precision AS bytes`;
  const [found] = await database.query<Asked>(sql);
  if (found === undefined) throw new Error('bug: sums of nothing');
  return found;
}

async function measured(
  world: WorkerWorld,
  name: string,
  argv: readonly string[],
  workers: readonly number[],
): Promise<Cost> {
  const cpu = (): readonly [number, number, number] => [
    treeCpuSeconds(process.pid),
    workers.map(treeCpuSeconds).reduce((sum, one) => sum + one, 0),
    treeCpuSeconds(world.postmaster),
  ];
  const [before, from] = [await asked(world), cpu()];
  const beganAt = performance.now();
  await ended(world.flow('run', 'noop', '--name', name, '--quiet', ...argv));
  const wall = (performance.now() - beganAt) / 1000;
  const [to, after] = [cpu(), await asked(world)];
  const [all = 0, ofWorkers = 0, server = 0] = to.map((seconds, at) => seconds - (from[at] ?? 0));
  const sql = `SELECT extract(epoch FROM w.ended_at - w.began_at)::double precision AS seconds
    FROM ${world.database.schema}.run_work w JOIN ${world.database.schema}.run r ON r.number = w.run WHERE r.id = $1`;
  const [run] = await world.database.query<{ seconds: number }>(sql, [name]);
  const more = {
    wal: after.wal - before.wal,
    commits: after.commits - before.commits,
    bytes: after.bytes - before.bytes,
  };
  // What this process itself does meanwhile is next to nothing.
  return { wall, run: run?.seconds ?? wall, own: all - ofWorkers - server, workers: ofWorkers, server, asked: more };
}

function median(costs: readonly Cost[], of: (cost: Cost) => number): number {
  return costs.map(of).sort((a, b) => a - b)[costs.length >> 1] ?? Number.NaN;
}

function print(title: string, costs: readonly Cost[], floor: readonly Cost[]): void {
  const all = (cost: Cost): number => cost.own + cost.workers + cost.server;
  const ratio = (of: (cost: Cost) => number, ofFloor: (cost: Cost) => number): string => {
    const ratios = costs.map((cost, round) => of(cost) / ofFloor(floor[round] ?? cost)).sort((a, b) => a - b);
    return `${ratios[ratios.length >> 1]?.toFixed(2)}x`;
  };
  const seconds = (of: (cost: Cost) => number): string => `${median(costs, of).toFixed(1)} s`;
  const perRow = (of: keyof Asked): number => median(costs, ({ asked }) => asked[of] / rows);
  process.stdout.write(
    `${title}\n  wall ${seconds(({ wall }) => wall)} (${ratio(
      ({ wall }) => wall,
      ({ wall }) => wall,
    )}), of the run itself ${seconds(({ run }) => run)}, ` +
      `${Math.round(rows / median(costs, ({ run }) => run))} rows/s\n` +
      `  CPU: command line ${seconds(({ own }) => own)}, workers ${seconds(({ workers }) => workers)} (${ratio(({ workers }) => workers, all)}), ` +
      `PostgreSQL ${seconds(({ server }) => server)}, all ${seconds(all)} (${ratio(all, all)})\n` +
      `  a row: ${Math.round(perRow('wal'))} B of WAL, ${perRow('commits').toFixed(3)} commits, ${Math.round(perRow('bytes'))} B on disk\n`,
  );
}

await using world = await workerWorld();
const data = world.data(rows);
const here: Cost[] = [];
const there = new Map<number, Cost[]>(counts.map((count) => [count, []]));
for (let round = 0; round < rounds; round += 1) {
  const argv = ['--data', data, '--concurrency', String(concurrency)];
  here.push(await measured(world, `here-${round}`, [...argv, '--engine', ''], []));
  for (const [count, costs] of there) {
    const started = await world.workers(count, '--concurrency', String(concurrency / Math.min(count, concurrency)));
    const cost = await measured(
      world,
      `there-${count}-${round}`,
      argv,
      started.map((worker) => worker.process),
    );
    costs.push(cost);
    for (const worker of started) await worker[Symbol.asyncDispose]();
  }
}
print(`${rows} rows in process`, here, here);
for (const [count, costs] of there) print(`${rows} rows, ${count} workers`, costs, here);
