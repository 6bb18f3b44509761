import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runStoreContract } from '../testing/run-store-contract.ts';
import { createMemoryRunStore } from './memory-run-store.ts';
import { RunFileError } from './run-file-error.ts';
import { createSqliteRunStore, openSqliteRunStore } from './sqlite-run-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.run`);
};

runStoreContract('memory', createMemoryRunStore);
runStoreContract('sqlite', (info) => createSqliteRunStore(newFile(), info));

test('a run file opened again holds what was recorded', async () => {
  const path = newFile();
  const info = { id: 'r', flowPath: 'f', flowName: 'f', flowDigest: 'd', startedAt: 5, nodes: [] };
  {
    await using store = createSqliteRunStore(path, info);
    await store.append([{ line: 0, node: 'a', kind: 'llm', status: 'Bypassed', output: null }]);
  }
  await using opened = openSqliteRunStore(path);
  expect(opened.info).toEqual(info);
  expect(opened.nodes(0)).toEqual([{ line: 0, node: 'a', kind: 'llm', status: 'Bypassed', output: null }]);
});

test('what is no run file is refused by name', () => {
  const path = newFile();
  writeFileSync(path, 'hello, this is a text and no database, long enough to be read as one');
  expect(() => openSqliteRunStore(path)).toThrow(RunFileError);
  expect(() => openSqliteRunStore(join(folder, 'none.run'))).toThrow(/there is no run record/);
});
