import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteRunStore, type NodeRun, type RunInfo } from '../packages/engine/src/index.ts';
import { compare, printComparison } from './compare.ts';

/**
 * Diff of two runs of 10 nodes, a third of whose rows differ from the fifth node on: CPU and wall time beside one SQL join
 * over both files, and peak memory by number of rows. Targets: 100,000 rows in 1 s; memory flat.
 */
const root = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'flow-diff-'));
const names = Array.from({ length: 10 }, (_, index) => `node_${index}`);

async function writeRun(rows: number, template: string): Promise<string> {
  const path = join(folder, `${rows}-${template}.run`);
  const nodes = names.map((name, index) => ({ name, kind: 'python', reads: index === 0 ? [] : [`node_${index - 1}`] }));
  const nodeDefinitions = Object.fromEntries(
    names.map((name) => [name, { template: name === 'node_5' ? template : 'same' }]),
  );
  const info: RunInfo = {
    ...{ id: template, flowPath: 'f', flowName: 'f', flowDigest: template, startedAt: 0 },
    ...{ nodes, nodeDefinitions, outputs: [{ name: 'answer', reads: 'node_9' }] },
  };
  await using store = createSqliteRunStore(path, info);
  for (let line = 0; line < rows; line += 1) {
    const salt = line % 3 === 0 ? template : '';
    const runs = names.map((node, index): NodeRun => {
      const output = `行 ${line} の ${node} の答え ${index >= 5 ? salt : ''}`;
      const inputs = { x: `行 ${line} の入力 ${index > 5 ? salt : ''}` };
      const made = line * 100 + index * 2 + (index >= 5 && salt === 'after' ? 1 : 0);
      const fingerprint = made.toString(16).padStart(32, '0');
      return {
        line,
        node,
        kind: 'python',
        status: 'Completed',
        inputs,
        output,
        fingerprint,
        startedAt: 0,
        durationMs: 1,
      };
    });
    const outputs = { answer: runs.at(-1)?.output ?? null };
    const row = { line, status: 'Completed', inputs: { q: line }, outputs, startedAt: 0, durationMs: 1 } as const;
    const written = store.append(runs, row);
    if (line % 1000 === 999) await written;
  }
  return path;
}

interface Cost {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  readonly told: unknown;
}

function once(mode: 'ours' | 'floor', files: readonly string[]): Cost {
  const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'diff-once.ts'), mode, ...files], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Cost;
}

try {
  for (const rows of [10_000, 100_000]) {
    const files = [await writeRun(rows, 'before'), await writeRun(rows, 'after')];
    const costOf = (mode: 'ours' | 'floor', unit: 'cpuSeconds' | 'wallSeconds') => () => once(mode, files)[unit] * 1000;
    const rounds = rows > 10_000 ? 5 : 9;
    for (const [title, unit] of [
      ['CPU', 'cpuSeconds'],
      ['wall', 'wallSeconds'],
    ] as const) {
      const comparisons = await compare(
        [
          { name: 'floor: one join over both files', measure: costOf('floor', unit) },
          { name: 'pair, compare, attribute', measure: costOf('ours', unit) },
        ],
        rounds,
      );
      printComparison(`diff of ${rows} rows x ${names.length} nodes, ${title} after start`, 'ms', comparisons);
    }
    const { peakMegabytes, told } = once('ours', files);
    process.stdout.write(
      `  peak ${peakMegabytes.toFixed(0)} MB (floor ${once('floor', files).peakMegabytes.toFixed(0)} MB)\n  ${told}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
