import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { type RunLogMaker, runLogContract } from '../testing/run-log-contract.ts';
import { createMemoryRunLog } from './memory-run-log.ts';
import { RunFileError } from './run-file-error.ts';
import type { RunLog } from './run-log.ts';
import type { RunReader } from './run-reader.ts';
import { createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.run`);
};

const unshut = (reader: RunReader): RunReader =>
  Object.assign(Object.create(reader) as RunReader, {
    [Symbol.asyncDispose]: async () => undefined,
  });

const paths = new WeakMap<RunLog, string>();
const makers: Readonly<Record<string, RunLogMaker>> = {
  memory: { create: createMemoryRunLog, open: unshut },
  'a record file': {
    create: (info) => {
      const path = newFile();
      const log = createSqliteRunLog(path, info);
      paths.set(log, path);
      return log;
    },
    open: (log) => openSqliteRunReader(paths.get(log) ?? ''),
  },
};

for (const [name, maker] of Object.entries(makers)) {
  for (const { name: promise, run } of runLogContract(maker)) test(`${name}: ${promise}`, run);
}

test('a run file opened again holds what was recorded', async () => {
  const path = newFile();
  const info = runInfo();
  {
    await using store = createSqliteRunLog(path, info);
    await store.append([{ line: 0, node: 'a', kind: 'llm', status: 'Bypassed', output: null }]);
  }
  await using opened = openSqliteRunReader(path);
  expect(opened.info).toEqual(info);
  expect(await opened.nodes(0)).toEqual([{ line: 0, node: 'a', kind: 'llm', status: 'Bypassed', output: null }]);
});

test('what is no run file is refused by name', () => {
  const path = newFile();
  writeFileSync(path, 'hello, this is a text and no database, long enough to be read as one');
  expect(() => openSqliteRunReader(path)).toThrow(RunFileError);
  expect(() => openSqliteRunReader(join(folder, 'none.run'))).toThrow(/there is no run record/);
});

test('a record file that is closed may be closed again', async () => {
  const path = newFile();
  const log = createSqliteRunLog(path, runInfo());
  await log[Symbol.asyncDispose]();
  await log[Symbol.asyncDispose]();
  const reader = openSqliteRunReader(path);
  await reader[Symbol.asyncDispose]();
  await reader[Symbol.asyncDispose]();
});
