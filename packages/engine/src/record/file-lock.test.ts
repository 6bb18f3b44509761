import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { type FileLock, isFileLocked, takeFileLock } from './file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

function taken(path: string, owner: string): FileLock {
  const lock = takeFileLock(path, owner);
  if ('heldBy' in lock) throw new Error(`bug: held by ${lock.heldBy}`);
  return lock;
}

test('one has the lock, the next is told who, and it is free once it is let go of', () => {
  const path = join(folder, 'one.lock');
  expect(isFileLocked(path)).toBe(false);
  rmSync(path, { force: true });
  const lock = taken(path, 'process 7 of host a');
  expect(isFileLocked(path)).toBe(true);
  expect(takeFileLock(path, 'another')).toEqual({ heldBy: 'process 7 of host a' });
  lock.release(false);
  lock.release(false);
  expect(existsSync(path)).toBe(false);
  taken(path, 'another').release(true);
  expect(existsSync(path)).toBe(true);
  expect(isFileLocked(path)).toBe(false);
});

test('a file that was left is taken over, with the words of its new owner', () => {
  const path = join(folder, 'left.lock');
  taken(path, 'gone').release(true);
  const lock = taken(path, 'here');
  expect(takeFileLock(path, 'x')).toEqual({ heldBy: 'here' });
  lock.release(false);
});

test('who is just writing its words holds the lock, whatever they are', () => {
  const path = join(folder, 'writing.lock');
  using database = new DatabaseSync(path, { timeout: 0 });
  database.exec('BEGIN EXCLUSIVE');
  expect(takeFileLock(path, 'x')).toEqual({ heldBy: '' });
  expect(isFileLocked(path)).toBe(true);
  database.exec('ROLLBACK');
  expect(isFileLocked(path)).toBe(false);
});

test('a file that is no lock is replaced, and held by nobody', () => {
  const path = join(folder, 'foreign.lock');
  writeFileSync(path, 'no database at all, but long enough to look like one '.repeat(40));
  expect(isFileLocked(path)).toBe(false);
  const lock = taken(path, 'here');
  expect(isFileLocked(path)).toBe(true);
  lock.release(false);
});

test('where no file can be written the reason is thrown', () => {
  expect(() => takeFileLock(join(folder, 'no/such/folder.lock'), 'x')).toThrow('unable to open database file');
  expect(isFileLocked(join(folder, 'no/such/folder.lock'))).toBe(false);
});

test('who looks at a lock keeps nobody from taking it, from holding it or from looking too', async () => {
  const path = join(folder, 'looked-at.lock');
  taken(path, 'gone').release(true);
  // As one that looks for a moment, however long that is on a busy machine.
  const code = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(path)}, { readOnly: true });
    database.exec('BEGIN');
    database.prepare('PRAGMA schema_version').get();
    process.stdout.write('looks');
    process.stdin.on('data', () => database.close()).on('data', () => process.exit());`;
  const looker = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(looker.stdout, 'data');
  expect(isFileLocked(path)).toBe(false);
  // It leaves while the lock is waited for, which holds up this process.
  looker.stdin.end('leave');
  const lock = taken(path, 'here');
  expect(isFileLocked(path)).toBe(true);
  lock.release(false);
});

test('looking makes no file', () => {
  const path = join(folder, 'none.lock');
  expect(isFileLocked(path)).toBe(false);
  expect(existsSync(path)).toBe(false);
});
