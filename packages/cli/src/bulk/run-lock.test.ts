import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockRun, lockState } from './run-lock.ts';

let folder: string;
let other: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
});
afterEach(() => {
  other.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function record(lock?: string): string {
  const path = join(folder, 'r.run');
  if (lock !== undefined) writeFileSync(`${path}.lock`, lock);
  return path;
}

test('a lock is held, told and let go', () => {
  const path = record();
  {
    using _lock = lockRun(path, 'r');
    expect(readFileSync(`${path}.lock`, 'utf8').split(' ')[0]).toBe(String(process.pid));
  }
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('a process that lives holds it; one that is gone, or another process of its number, does not', async () => {
  await once(other, 'spawn');
  const path = record(String(other.pid));
  expect(() => lockRun(path, 'r')).toThrow(`run r is being written by process ${other.pid}`);
  expect(lockState(path)).toBe('running');
  if (process.platform === 'linux') {
    record(`${other.pid} 1`);
    expect(lockState(path)).toBe('stopped');
    using _lock = lockRun(path, 'r');
  }
  other.kill('SIGKILL');
  await once(other, 'exit');
  record(String(other.pid));
  expect(lockState(path)).toBe('stopped');
});
