import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allOf, openSqliteRunReader, takeFileLock } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { openRunLog } from '../record/postgres-run-log.ts';
import { createRun } from '../record/stored-run.ts';
import { freshEngine } from '../testing/index.ts';
import { openEngineCatalog } from './engine-catalog.ts';

const info = runInfo({
  nodes: [{ name: 'a', kind: 'python' }],
});

test('a run is copied once however often it is needed, anew where it has changed, and no copy is left', async () => {
  await using engine = await freshEngine();
  await createRun(engine.database, info);
  await using log = await openRunLog(engine.database, 'r');
  const append = async (line: number): Promise<void> => {
    const node = { line, node: 'a', kind: 'python', status: 'Completed' as const, output: line };
    await log.append([node], { line, status: 'Completed', inputs: {}, outputs: {}, startedAt: 1, durationMs: 1 });
    await log.ensureKept();
  };
  await append(0);
  const paths: string[] = [];
  const needs = async (): Promise<number> => {
    await using file = await catalog.file('r');
    await using reader = openSqliteRunReader(file.path);
    paths.push(file.path);
    return (await allOf(reader.rowEnds())).length;
  };
  const left = join(mkdtempSync(join(tmpdir(), 'unroll-run-')), 'copy.lock');
  const held = join(mkdtempSync(join(tmpdir(), 'unroll-run-')), 'copy.lock');
  const locks = [left, held].map((path) => takeFileLock(path, 'test'));
  for (const path of [left, held]) utimesSync(path, 1, 1);
  const [first, second] = locks;
  if (first === undefined || 'heldBy' in first || second === undefined || 'heldBy' in second)
    throw new Error('bug: held');
  // As of a process that was killed.
  first.release(true);
  const catalog = await openEngineCatalog(engine.url);
  try {
    expect(await Promise.all([needs(), needs()])).toEqual([1, 1]);
    expect(await needs()).toBe(1);
    expect(new Set(paths).size).toBe(1);
    await append(1);
    expect(await needs()).toBe(2);
    expect(new Set(paths).size).toBe(2);
    // The run as it stood before is needed by nobody.
    expect(existsSync(paths[0] ?? '')).toBe(false);
  } finally {
    await catalog[Symbol.asyncDispose]();
  }
  expect(paths.filter((path) => existsSync(dirname(path)))).toEqual([]);
  expect([left, held].map((path) => existsSync(dirname(path)))).toEqual([false, true]);
  second.release(false);
  rmSync(dirname(held), { recursive: true });
});
