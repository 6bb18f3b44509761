import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { type ComparedRun, compareRuns } from './compare-runs.ts';
import { createMemoryRunLog } from './memory-run-log.ts';
import type { RunComparison } from './run-comparison.ts';
import type { RunLog } from './run-log.ts';
import { createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'compare-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const info = (id: string) =>
  runInfo({
    id,
    nodes: [
      { name: 'a', kind: 'python' },
      { name: 'sum', kind: 'python', aggregation: true },
    ],
  });

/** Rows with their only output, by line; the node over all rows gives how many there are. */
type Rows = Readonly<Record<number, string>>;

async function write(log: RunLog, rows: Rows): Promise<void> {
  for (const [number, output] of Object.entries(rows)) {
    const line = Number(number);
    const ended = {
      status: 'Completed',
      inputs: { n: line },
      outputs: { o: output },
      startedAt: 0,
      durationMs: 0,
    } as const;
    await log.append([{ line, node: 'a', kind: 'python', status: 'Completed', output }], { line, ...ended });
  }
  const count = Object.keys(rows).length;
  await log.append([{ line: 0, node: 'sum', kind: 'python', status: 'Completed', output: count }]);
}

/** A run in a record file, or in memory, where nothing of it is a file. */
async function runIn(store: 'file' | 'memory', name: string, rows: Rows): Promise<ComparedRun> {
  if (store === 'memory') {
    const log = createMemoryRunLog(info(name));
    await write(log, rows);
    return { store: log };
  }
  const path = join(folder, `${name}.run`);
  const log = createSqliteRunLog(path, info(name));
  await write(log, rows);
  await log[Symbol.asyncDispose]();
  return { store: openSqliteRunReader(path), path };
}

/** The node over all rows stands at line 0, which is no row of theirs. */
const before: Rows = { 1: 'x', 2: 'y', 3: 'z' };
const after: Rows = { 1: 'x', 2: 'Y', 4: 'w', 5: 'v' };
const aligned = [
  { left: 'a', right: 'a' },
  { left: 'sum', right: 'sum' },
];

function findings(comparison: RunComparison): unknown {
  const { left, right, onlyLeft, onlyRight, patterns, aggregation } = comparison;
  const unpaired = [comparison.unpaired('left', 9), comparison.unpaired('right', 9)];
  return { left, right, onlyLeft, onlyRight, patterns, aggregation, unpaired };
}

test.for([
  ['memory', 'memory'],
  ['memory', 'file'],
  ['file', 'memory'],
] as const)('a run in %s and one in %s compare as two record files do', async ([one, other]) => {
  using files = await compareRuns(
    await runIn('file', `f${one}${other}`, before),
    await runIn('file', `g${one}${other}`, after),
    { aligned },
  );
  const copies = (): number => readdirSync(tmpdir()).filter((name) => name.startsWith('unroll-diff-')).length;
  const already = copies();
  const found = await compareRuns(
    await runIn(one, `l${one}${other}`, before),
    await runIn(other, `r${one}${other}`, after),
    { aligned },
  );
  expect(findings(found)).toEqual(findings(files));
  expect(findings(found)).toMatchObject({
    ...{ left: 3, right: 4, onlyLeft: 1, onlyRight: 2 },
    aggregation: [{ node: 'sum', left: 'Completed', right: 'Completed', outputDiffers: true }],
  });
  found[Symbol.dispose]();
  await expect.poll(copies).toBe(already);
});
