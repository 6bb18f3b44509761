import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogFile, isFileLocked, takeFileLock } from '@unroll/engine';
import type { Database } from '../database/database.ts';
import { pullRun } from '../record/pull-run.ts';
import { findStoredRun } from '../record/stored-run.ts';

const prefix = 'unroll-run-';
/** Milliseconds after which a folder whose owner is gone was not just made. */
const newMs = 60_000;

interface Copy {
  readonly file: Promise<CatalogFile>;
  users: number;
}

/** Copies of runs as files, one of each run as it stands; those that nobody uses any more stay for who needs them again. */
export class RunCopies implements AsyncDisposable {
  private readonly database: Database;
  private maxUnused: number;
  /** By id and stamp. */
  private readonly copies = new Map<string, Copy>();
  /** Keys of those that nobody uses, the one that was used last at the end. */
  private readonly unused = new Set<string>();

  constructor(database: Database, maxUnused: number) {
    this.database = database;
    this.maxUnused = maxUnused;
  }

  /** @param stamp how the run stands */
  async of(id: string, stamp: string, onProgress?: (records: number) => void): Promise<CatalogFile> {
    const key = `${id} ${stamp}`;
    const copy = this.copies.get(key) ?? { file: copyOf(id, this.database, onProgress), users: 0 };
    this.copies.set(key, copy);
    this.unused.delete(key);
    copy.users += 1;
    let isUsed = true;
    const leave = async (): Promise<void> => {
      if (!isUsed) return;
      isUsed = false;
      copy.users -= 1;
      if (copy.users === 0) this.unused.add(key);
      await this.removeUnused();
    };
    try {
      const { path } = await copy.file;
      // The run as it stood before.
      await this.remove([...this.unused].filter((one) => one.startsWith(`${id} `)));
      return { path, [Symbol.asyncDispose]: leave };
    } catch (error) {
      this.copies.delete(key);
      throw error;
    }
  }

  private async removeUnused(): Promise<void> {
    await this.remove([...this.unused].slice(0, Math.max(0, this.unused.size - this.maxUnused)));
  }

  private async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const copy = this.copies.get(key);
      this.copies.delete(key);
      this.unused.delete(key);
      await (await copy?.file)?.[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.maxUnused = 0;
    await this.removeUnused();
  }
}

async function copyOf(id: string, database: Database, onProgress?: (records: number) => void): Promise<CatalogFile> {
  const run = await findStoredRun(database, id);
  const folder = mkdtempSync(join(tmpdir(), prefix));
  removeLeft();
  const lock = takeFileLock(join(folder, 'copy.lock'), `process ${process.pid}`);
  const remove = async (): Promise<void> => {
    if (!('heldBy' in lock)) lock.release(false);
    rmSync(folder, { recursive: true, force: true });
  };
  // Not by its id, which whoever writes into the tables has a say in.
  const path = join(folder, 'copy.run');
  try {
    await pullRun(database, run, path, { onProgress: ({ records }) => onProgress?.(records) });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

/** What a process left that was killed. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    try {
      const lock = statSync(join(folder, 'copy.lock'), { throwIfNoEntry: false });
      if (lock === undefined || Date.now() - lock.mtimeMs < newMs || isFileLocked(join(folder, 'copy.lock'))) continue;
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}
