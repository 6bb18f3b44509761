import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteRunLog, type NodeRun, type RunInfo } from '../packages/engine/src/index.ts';
import { compare, printComparison } from './compare.ts';
import { measureProcess } from './process.ts';

/**
 * Diff of two runs of 10 nodes, all the same, or so many rows different from a node on: CPU and wall time beside one look at
 * the digests of both files, and peak memory of `flow diff` by number of rows. Targets: 100,000 rows in 1 s; memory flat.
 */
const root = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'flow-diff-'));
const names = Array.from({ length: 10 }, (_, index) => `node_${index}`);

interface Difference {
  readonly title: string;
  /** One row of so many differs; 0 for none. */
  readonly every: number;
  /** The first node that gives something else. */
  readonly from: number;
  /** How many rows the right run has before those of the left one. */
  readonly before?: number;
}

const differences: readonly Difference[] = [
  { title: 'all rows the same', every: 0, from: 5 },
  { title: 'every 100th row different from the fifth node on', every: 100, from: 5 },
  { title: 'every third row different from the fifth node on', every: 3, from: 5 },
  { title: 'every row different in every node', every: 1, from: 0 },
  { title: 'every third row different, and one row more before all others', every: 3, from: 5, before: 1 },
];

async function writeRun(path: string, rows: number, difference: Difference | undefined): Promise<void> {
  const { every, from, before = 0 } = difference ?? { every: 0, from: 5 };
  const template = difference === undefined ? 'before' : 'after';
  const nodes = names.map((name, index) => ({ name, kind: 'python', reads: index === 0 ? [] : [`node_${index - 1}`] }));
  const nodeDefinitions = Object.fromEntries(
    names.map((name, index) => [name, { template: index === from && every > 0 ? template : 'same' }]),
  );
  const info: RunInfo = {
    id: template,
    flowPath: 'f',
    flowName: 'f',
    flowDigest: template,
    startedAt: 0,
    nodes,
    nodeDefinitions,
    outputs: [{ name: 'answer', reads: 'node_9' }],
  };
  await using store = createSqliteRunLog(path, info);
  for (let line = 0; line < rows + before; line += 1) {
    const question = line - before;
    const isOther = every > 0 && question % every === 0;
    const runs = names.map((node, index): NodeRun => {
      const output = `行 ${question} の ${node} の答え ${isOther && index >= from ? template : ''}`;
      const inputs = { x: `行 ${question} の入力 ${isOther && index > from ? template : ''}` };
      const made = (question + 1) * 100 + index * 2 + (isOther && index >= from ? 1 : 0);
      const fingerprint = made.toString(16).padStart(32, '0');
      const ended = { status: 'Completed', startedAt: 0, durationMs: 1 } as const;
      return { line, node, kind: 'python', ...ended, inputs, output, fingerprint };
    });
    const outputs = { answer: runs.at(-1)?.output ?? null };
    const row = { line, status: 'Completed', inputs: { question }, outputs, startedAt: 0, durationMs: 1 } as const;
    const written = store.append(runs, row);
    if (line % 1000 === 999) await written;
  }
}

interface Cost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly told: unknown;
}

function once(mode: 'ours' | 'floor', files: readonly string[]): Cost {
  const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'diff-once.ts'), mode, ...files], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Cost;
}

const reportPeak = `data:text/javascript,process.on('exit', () => console.error(process.resourceUsage().maxRSS))`;

/** Of the whole command. */
function peakMegabytes(files: readonly string[]): number {
  const flow = join(root, '../packages/cli/dist/flow.js');
  const { stderr, status } = spawnSync(process.execPath, ['--import', reportPeak, flow, 'diff', ...files], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stderr.trim().split('\n').at(-1)) / 1024;
}

async function measure(rows: number, left: string, difference: Difference): Promise<void> {
  const right = join(folder, 'right.run');
  await writeRun(right, rows, difference);
  const files = [left, right];
  const costOf = (mode: 'ours' | 'floor', unit: 'cpuSeconds' | 'wallSeconds') => () => once(mode, files)[unit] * 1000;
  for (const [title, unit] of [
    ['CPU', 'cpuSeconds'],
    ['wall', 'wallSeconds'],
  ] as const) {
    const comparisons = await compare(
      [
        { name: 'floor: one look at all digests', measure: costOf('floor', unit) },
        { name: 'pair, compare, attribute', measure: costOf('ours', unit) },
      ],
      5,
    );
    printComparison(
      `${difference.title}, ${rows} rows x ${names.length} nodes: ${title} after start`,
      'ms',
      comparisons,
    );
  }
  process.stdout.write(`  peak of flow diff ${peakMegabytes(files).toFixed(0)} MB\n  ${once('ours', files).told}\n`);
  rmSync(right);
}

try {
  measureProcess([process.execPath, join(root, '../packages/cli/build.ts')]);
  for (const rows of [10_000, 100_000]) {
    const left = join(folder, `${rows}.run`);
    await writeRun(left, rows, undefined);
    for (const difference of differences) await measure(rows, left, difference);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
