import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allOf, openSqliteRunReader } from '../../packages/engine/src/index.ts';
import {
  freshEngine,
  type Gate,
  gatedFlow,
  numbers,
  startGate,
  startPostgres,
  startProxy,
} from '../../packages/queue/src/testing/index.ts';
import { type Said, said } from './said.ts';

/**
 * Faults as long as they are asked for, where tests wait for no clock: a worker killed at 20 random moments of 5,000 rows, PostgreSQL
 * crashed, out of reach for 20 seconds, a worker that stands still for 60. Two workers, durable nodes; each row asks a server, which
 * counts. After each fault every row has to be there once with its output, no call that was recorded made again, and every row that
 * was asked for again told. With UNROLL_SMALL_DISK, a folder on a file system of its own (`mount -t tmpfs -o size=200m tmpfs DIR`),
 * PostgreSQL is kept there and the disk is full for 20 seconds too.
 *
 *     node packages/cli/build.ts && node bench/workers/faults.ts [killed crashed unreached frozen full]
 */
const cli = join(dirname(fileURLToPath(import.meta.url)), '../../packages/cli/dist/flow.js');
const smallDisk = process.env['UNROLL_SMALL_DISK'] ?? '';
const answerMs = 100;
/** Calls that are answered at a time: 16 are under way. */
const answersAtOnce = 4;

const letThrough = new Map<Gate, number>();

interface World {
  readonly gate: Gate;
  /** Starts a command line; what it has said is in `said`. */
  flow(...argv: readonly string[]): Said;
  worker(name: string): Promise<Said>;
  /** Lines whose call is recorded. */
  recorded(): Promise<ReadonlySet<number>>;
  readonly rows: number;
}

interface Fault {
  readonly rows: number;
  /** @returns the lines that were recorded at each moment from which nothing of it may be asked for again */
  readonly happen: (world: World, workers: Said[], means: Means) => Promise<readonly Moment[]>;
}

interface Moment {
  readonly asked: number;
  readonly recorded: ReadonlySet<number>;
}

interface Means {
  readonly server: Awaited<ReturnType<typeof startPostgres>>;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
}

async function moment({ gate, recorded }: World): Promise<Moment> {
  const there = await recorded();
  return { asked: gate.asked.length, recorded: there };
}

const faults: Readonly<Record<string, Fault>> = {
  killed: {
    rows: 5000,
    async happen(world, workers) {
      const moments: Moment[] = [];
      const at = Array.from({ length: 20 }, () => Math.ceil(Math.random() * (world.rows - 100))).sort((a, b) => a - b);
      for (const [kill, times] of at.entries()) {
        await world.gate.whenAsked(times);
        const [victim] = workers.splice(Math.floor(Math.random() * workers.length), 1);
        // What is recorded a moment before it dies.
        moments.push(await moment(world));
        victim?.child.kill('SIGKILL');
        workers.push(await world.worker(`heir${kill}`));
      }
      return moments;
    },
  },
  crashed: {
    rows: 1000,
    async happen(world, _, { server }) {
      await world.gate.whenAsked(300);
      const before = await moment(world);
      await server.kill();
      await server.start();
      return [before];
    },
  },
  unreached: {
    rows: 1000,
    async happen(world, _, { proxy }) {
      await world.gate.whenAsked(300);
      const before = await moment(world);
      proxy.block();
      await wait(20_000);
      proxy.letThrough();
      return [before];
    },
  },
  full: {
    rows: 2000,
    async happen(world, _, { server }) {
      await world.gate.whenAsked(300);
      const before = await moment(world);
      const filling = join(smallDisk, 'filling');
      fill(filling);
      await wait(5000);
      // Undefined where PostgreSQL has ended.
      const size = async () => (await world.recorded().catch(() => undefined))?.size;
      const there = await size();
      await wait(15_000);
      const isFull = (await size()) === there;
      process.stdout.write(
        `full: ${isFull ? 'nothing' : 'something'} was recorded in 15 s, ${there ?? 'PostgreSQL ended'}\n`,
      );
      rmSync(filling);
      // Without room for its log PostgreSQL ends.
      await server.start().catch(() => undefined);
      return [before];
    },
  },
  frozen: {
    rows: 4000,
    async happen(world, [victim]) {
      await world.gate.whenAsked(300);
      const before = await moment(world);
      victim?.child.kill('SIGSTOP');
      await wait(60_000);
      victim?.child.kill('SIGCONT');
      return [before];
    },
  },
};

function fill(path: string): void {
  for (let blocks = Buffer.alloc(2 ** 20); blocks.length > 0; blocks = blocks.subarray(0, blocks.length >> 1)) {
    try {
      for (;;) appendFileSync(path, blocks);
    } catch {
      // There is less room than that.
    }
  }
}

async function tell(name: string, { rows, happen }: Fault): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'flow-faults-'));
  if (name === 'full') process.env['TMPDIR'] = smallDisk;
  await using server = await startPostgres();
  const engine = await freshEngine(server);
  await using proxy = await startProxy(engine.url);
  const gate = await startGate();
  const answering = setInterval(() => answerSome(gate), answerMs);
  for (const [path, text] of Object.entries({ ...gatedFlow, 'n.jsonl': numbers(rows) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const flow = (...argv: readonly string[]): Said => {
    const env = { ...process.env, HOME: folder, FLOW_ENGINE: proxy.url, GATE: gate.url };
    return said(spawn(process.execPath, [cli, ...argv], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  };
  const worker = async (called: string): Promise<Said> => {
    const one = flow('worker', '--name', called);
    await one.has('waits for work');
    return one;
  };
  const { database } = engine;
  const asks = `SELECT line FROM ${database.schema}.node_end e JOIN ${database.schema}.node_name n ON n.run = e.run AND n.id = e.node
    WHERE n.name = 'ask' AND e.status = 0`;
  const recorded = async () => new Set((await database.query<{ line: number }>(asks)).map(({ line }) => line));
  const world: World = { gate, flow, worker, recorded, rows };
  const workers = [await worker('one'), await worker('two')];
  const run = flow('run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--durable-nodes', '--json');
  const beganAt = performance.now();
  const moments = await happen(world, workers, { server, proxy });
  const code = await run.ended;
  const seconds = (performance.now() - beganAt) / 1000;
  for (const { child } of workers) child.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => ended));
  clearInterval(answering);
  await using store = openSqliteRunReader(join(folder, '.flow/runs/r.run'));
  const found = (await allOf(store.rows())).map(({ line, outputs }) => `${line} ${JSON.stringify(outputs)}`);
  const expected = Array.from({ length: rows }, (_, n) => `${n} {"o":${2 * n + 1}}`);
  const again = repeated(gate.asked);
  const broken = moments.flatMap(({ asked, recorded: there }) =>
    gate.asked.slice(asked).filter((row) => there.has(row)),
  );
  const ranges = [...run.text().matchAll(/rows? (\d+)(?: to (\d+))? went silent/g)].map(([, from, to = from]) => [
    Number(from),
    Number(to),
  ]);
  const untold = again.filter((row) => !ranges.some(([from = 0, to = 0]) => from <= row && row <= to));
  const isWhole = found.join('\n') === expected.join('\n');
  const isFine = code === 0 && isWhole && broken.length === 0 && untold.length === 0;
  process.stdout.write(
    `${name}: ${isFine ? 'as promised' : 'NOT as promised'}; ${rows} rows in ${seconds.toFixed(0)} s, exit ${code}, ` +
      `${isWhole ? 'every row once, outputs equal' : 'ROWS DIFFER'}; ${again.length} rows asked again, ` +
      `${broken.length} of them recorded before, ${untold.length} not told\n`,
  );
  await engine[Symbol.asyncDispose]();
  await gate[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  return isFine;
}

/** No more than wait: what nobody asked for is not let through later. */
function answerSome(gate: Gate): void {
  const passed = letThrough.get(gate) ?? 0;
  const some = Math.min(answersAtOnce, gate.asked.length - passed);
  letThrough.set(gate, passed + some);
  gate.letThrough(some);
}

function repeated(asked: readonly number[]): readonly number[] {
  const times = Map.groupBy(asked, (row) => row);
  return [...times].flatMap(([row, all]) => (all.length > 1 ? [row] : []));
}

const names = process.argv.slice(2);
// A server that is being stopped keeps nobody alive.
const alive = setInterval(() => {}, 1000);
for (const [name, fault] of Object.entries(faults)) {
  if (names.length > 0 ? !names.includes(name) : name === 'full' && smallDisk === '') continue;
  if (!(await tell(name, fault))) process.exitCode = 1;
}
clearInterval(alive);
