import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteRunLog, type NodeRun, openSqliteRunReader, type RowRun } from '../packages/engine/src/index.ts';
import { compare, printComparison } from './compare.ts';
import { ownCpuSeconds } from './process.ts';

/**
 * G11: CPU and bytes of one row with three node records (prompt, model, check: 1.3 kB as JSON, 0.29 kB with every value
 * once). The floor prints the same records as JSON lines and appends them 256 rows at a time.
 */
const count = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'flow-store-'));
const words =
  'privacy person data consent provider third party transfer notice purpose use security officer request'.split(' ');
let state = 1;

function text(length: number): string {
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return words[Math.floor((state / 0x80000000) * words.length)];
  }).join(' ');
}

function rowOf(line: number): { readonly nodes: readonly NodeRun[]; readonly row: RowRun } {
  const question = `${text(8)} ${line}`;
  const prompt = `# user:\n${question}`;
  const answer = text(14);
  const startedAt = 1.7e12 + line * 3.1;
  const shared = { line, status: 'Completed', startedAt } as const;
  const usage = { promptTokens: 20, completionTokens: 14, totalTokens: 34 };
  return {
    nodes: [
      { ...shared, node: 'prompt', kind: 'prompt', inputs: { question }, output: prompt, durationMs: 0.05 },
      { ...shared, node: 'ask', kind: 'llm', inputs: { prompt }, output: answer, durationMs: 1.25, usage },
      { ...shared, node: 'check', kind: 'python', inputs: { answer }, output: { ok: true }, durationMs: 0.02 },
    ],
    row: { ...shared, inputs: { question }, outputs: { answer, ok: true }, durationMs: 1.5 },
  };
}

const rows = Array.from({ length: count }, (_, line) => rowOf(line));
const info = {
  id: 'r',
  flowPath: 'f',
  flowName: 'f',
  flowDigest: 'd',
  startedAt: 0,
  nodes: ['prompt', 'ask', 'check'].map((name) => ({ name, kind: 'python' })),
};
const path = join(folder, 'store.run');

async function stored(): Promise<number> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const before = ownCpuSeconds();
  await using store = createSqliteRunLog(path, info);
  for (const { nodes, row } of rows) {
    for (const node of nodes) void store.append([node]);
    void store.append([], row);
  }
  await store.rowCounts();
  return ((ownCpuSeconds() - before) * 1e6) / count;
}

function printed(): number {
  const file = join(folder, 'floor.jsonl');
  rmSync(file, { force: true });
  const before = ownCpuSeconds();
  let lines: string[] = [];
  for (const [index, { nodes, row }] of rows.entries()) {
    for (const node of nodes) lines.push(JSON.stringify(node));
    lines.push(JSON.stringify(row));
    if (index % 256 !== 255) continue;
    appendFileSync(file, `${lines.join('\n')}\n`);
    lines = [];
  }
  return ((ownCpuSeconds() - before) * 1e6) / count;
}

try {
  printComparison(
    'G11 CPU a row with 3 node records (target <= 10 us)',
    'us',
    await compare(
      [
        { name: 'floor: JSON lines', measure: printed },
        { name: 'unroll: record file', measure: stored },
      ],
      9,
    ),
  );
  const values = rows.map(({ nodes, row }) => [row.inputs, ...nodes.map(({ output }) => output)]);
  const payload = values.reduce((sum, value) => sum + Buffer.byteLength(JSON.stringify(value)), 0) / count;
  const bytes = statSync(path).size / count;
  process.stdout.write(
    `  bytes a row ${bytes.toFixed(0)}, payload ${payload.toFixed(0)}: ${(bytes / payload).toFixed(2)}x\n`,
  );
  await using store = openSqliteRunReader(path);
  const times = rows.map((_, at) => {
    const start = performance.now();
    store.nodes((at * 7919) % count);
    return performance.now() - start;
  });
  times.sort((one, other) => one - other);
  const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(3);
  process.stdout.write(
    `  one row's trace, read at random: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (target p50 <= 0.5 ms)\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
