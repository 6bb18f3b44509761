import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteRunLog, makeFolder } from '@unroll/engine';
import { type CatalogWorld, runCatalogContract } from '@unroll/engine/testing';
import { test } from 'vitest';
import { folderCatalog } from './folder-catalog.ts';
import { lockRun } from './run-lock.ts';
import { runPath } from './runs-folder.ts';

async function folderWorld(): Promise<CatalogWorld> {
  const above = mkdtempSync(join(tmpdir(), 'unroll-folder-'));
  const folder = join(above, 'runs');
  return {
    catalog: folderCatalog(folder),
    async create(info) {
      makeFolder(folder);
      return createSqliteRunLog(runPath(folder, info.id), info);
    },
    async work(id) {
      const lock = lockRun(runPath(folder, id), id);
      return async (how) => {
        if (how === 'stopped') lock.leaveStopped();
        lock[Symbol.dispose]();
      };
    },
    async [Symbol.asyncDispose]() {
      rmSync(above, { recursive: true });
    },
  };
}

test.each(runCatalogContract(folderWorld))('a folder of runs $name', ({ run }) => run());
