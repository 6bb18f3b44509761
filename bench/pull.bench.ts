import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeRun, RowRun } from '../packages/engine/src/index.ts';
import { openRunLog } from '../packages/queue/src/record/postgres-run-log.ts';
import { pullRun } from '../packages/queue/src/record/pull-run.ts';
import { createRun, findStoredRun } from '../packages/queue/src/record/stored-run.ts';
import { freshEngine } from '../packages/queue/src/testing/index.ts';

/**
 * Records appended to PostgreSQL by one process, and the run copied into a file: seconds by the clock and of this process's CPU, and its
 * memory after each tenth. The server, of this machine as well, does not wait for the disk.
 *
 *     node bench/pull.bench.ts [rows of 10 nodes, 100,000 where absent]
 */
const rows = Number(process.argv[2] ?? 100_000);
const names = Array.from({ length: 10 }, (_, at) => `node_${at}`);
const folder = mkdtempSync(join(tmpdir(), 'flow-pull-'));
const sentence = '個人情報の保護に関する法律は、'.repeat(6);
const inFlight = 500;

function rowOf(line: number): { readonly nodes: readonly NodeRun[]; readonly row: RowRun } {
  const question = `${sentence}${line}`;
  const shared = { line, status: 'Completed', startedAt: 1.7e12 + line } as const;
  const answer = (at: number): string => `${sentence}${at} ${(line * 7919) % 100_003}`;
  const nodes = names.map((node, at): NodeRun => {
    return { ...shared, node, kind: 'python', inputs: { question, n: at }, output: answer(at), durationMs: 1.5 };
  });
  return { nodes, row: { ...shared, inputs: { question }, outputs: { answer: answer(9) }, durationMs: 2 } };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Megabytes. */
const memory = (): number => Math.round(process.memoryUsage.rss() / 1e6);

async function measured(what: string, work: (note: () => void) => Promise<void>): Promise<void> {
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  const noted: number[] = [];
  await work(() => noted.push(memory()));
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - begin) / 1000;
  const rate = Math.round((rows * names.length) / seconds).toLocaleString('en');
  print(`${what}: ${seconds.toFixed(1)} s, ${rate} records/s, CPU ${((user + system) / 1e6).toFixed(1)} s`);
  print(`  memory (MB): ${noted.join(' ')}`);
}

await using engine = await freshEngine();
const { database } = engine;
const info = { id: 'r', flowPath: 'f', flowName: 'f', flowDigest: 'd', startedAt: 0 };
await createRun(database, { ...info, nodes: names.map((name) => ({ name, kind: 'python' })) });
await measured('append', async (note) => {
  await using log = await openRunLog(database, 'r');
  let waiting: Promise<void>[] = [];
  for (let line = 0; line < rows; line += 1) {
    const { nodes, row } = rowOf(line);
    waiting.push(log.append(nodes, row));
    if (waiting.length < inFlight) continue;
    await Promise.all(waiting);
    waiting = [];
    if (line % Math.ceil(rows / 10) < inFlight) note();
  }
  await Promise.all(waiting);
});
const file = join(folder, 'r.run');
await measured('pull', async (note) => {
  let next = rows;
  const onProgress = ({ records }: { readonly records: number }): void => {
    if (records < next) return;
    next = records + rows;
    note();
  };
  await pullRun(database, await findStoredRun(database, 'r'), file, { onProgress });
});
print(`file: ${Math.round(statSync(file).size / 1e6)} MB`);
rmSync(folder, { recursive: true });
