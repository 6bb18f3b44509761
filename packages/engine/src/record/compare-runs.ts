import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachOf } from './batches.ts';
import { type CompareRunFilesOptions, compareRunFiles, type RunFile } from './compare-run-files.ts';
import type { RunComparison } from './run-comparison.ts';
import type { OnDamage } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';
import { createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

/** A run that is compared, whatever store it is in. */
export interface ComparedRun {
  readonly store: RunReader;
  /** Its record file, where that is its store. */
  readonly path?: string | undefined;
  /** Told of rows that are left out since they are damaged; without it damage is thrown. */
  readonly onDamage?: OnDamage | undefined;
}

/**
 * Compares two runs by the digests of their rows. Record files are joined as they are; a run of another store is first
 * copied into a record file, which goes with the comparison.
 */
export async function compareRuns(
  left: ComparedRun,
  right: ComparedRun,
  options: CompareRunFilesOptions,
): Promise<RunComparison> {
  const opened: AsyncDisposable[] = [];
  const closeAll = async (): Promise<void> => {
    for (const one of opened.toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const comparison = await compareRunFiles(await fileOf(left, opened), await fileOf(right, opened), options);
    const { [Symbol.dispose]: close } = comparison;
    return {
      ...comparison,
      [Symbol.dispose]: () => {
        close();
        void closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function fileOf({ store, path, onDamage }: ComparedRun, opened: AsyncDisposable[]): Promise<RunFile> {
  if (path !== undefined) return { store, path, onDamage };
  const folder = mkdtempSync(join(tmpdir(), 'unroll-diff-'));
  opened.push({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) });
  const copy = join(folder, 'copy.run');
  await copyRun(store, copy);
  const reader = openSqliteRunReader(copy);
  opened.push(reader);
  return { store: reader, path: copy };
}

async function copyRun(store: RunReader, path: string): Promise<void> {
  await using log = createSqliteRunLog(path, store.info);
  for await (const { row, nodes } of eachOf(store.records())) await log.append(nodes, row);
  const overRows = new Set(store.info.nodes.filter(({ aggregation }) => aggregation === true).map(({ name }) => name));
  if (overRows.size > 0) await log.append((await store.nodes(0)).filter(({ node }) => overRows.has(node)));
  await log.ensureKept();
}
