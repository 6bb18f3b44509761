import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockRun, lockState } from './run-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const recordPath = (): string => join(folder, 'r.run');
const module = JSON.stringify(join(import.meta.dirname, '../../../engine/src/record/file-lock.ts'));

/** Locks the record until it is killed, or says who holds it. */
async function otherProcess(launcher: readonly string[] = []): Promise<{ said: string; child: ChildProcess }> {
  const code = `
    const { takeFileLock } = await import(${module});
    const lock = takeFileLock(${JSON.stringify(`${recordPath()}.lock`)}, 'process ' + process.pid + ' on a host');
    process.stdout.write('heldBy' in lock ? lock.heldBy : 'locked');
    if (!('heldBy' in lock)) setInterval(() => undefined, 1000);`;
  const [command, ...rest] = [...launcher, process.execPath, '--input-type=module', '-e', code];
  const child = spawn(command ?? '', rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { said: String(said), child };
}

test('a lock is held, told and let go', () => {
  const path = recordPath();
  {
    using _lock = lockRun(path, 'r');
    expect(lockState(path)).toBe('running');
    expect(() => lockRun(path, 'r')).toThrow(`run r is being written by process ${process.pid} on `);
    expect(lockState(path)).toBe('running');
  }
  expect([lockState(path), existsSync(`${path}.lock`)]).toEqual(['free', false]);
});

test('a run that was stopped says so until it goes on', () => {
  const path = recordPath();
  {
    using lock = lockRun(path, 'r');
    lock.leaveStopped();
  }
  expect(lockState(path)).toBe('stopped');
  {
    using _lock = lockRun(path, 'r');
    expect(lockState(path)).toBe('running');
  }
  expect(lockState(path)).toBe('free');
});

test('another process that lives holds it; one that was killed does not', async () => {
  const { said, child } = await otherProcess();
  expect(said).toBe('locked');
  expect(() => lockRun(recordPath(), 'r')).toThrow(`run r is being written by process ${child.pid} on `);
  expect(lockState(recordPath())).toBe('running');
  const second = await otherProcess();
  expect(second.said).toBe(`process ${child.pid} on a host`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(lockState(recordPath())).toBe('stopped');
  using _lock = lockRun(recordPath(), 'r');
});

test('a process of which this one cannot see the number holds it too', async ({ annotate }) => {
  // As in two containers, where the system lets a test make one; else two processes of one, which the test before has.
  const unshare = ['unshare', '--fork', '--pid', '--kill-child'];
  const probe = spawn('unshare', ['--fork', '--pid', 'true']).on('error', () => undefined);
  const [code] = (await once(probe, 'close')) as [number | null];
  if (code !== 0) await annotate('no process namespaces here');
  const { said, child } = await otherProcess(code === 0 ? unshare : []);
  expect(said).toBe('locked');
  expect(lockState(recordPath())).toBe('running');
  expect(() => lockRun(recordPath(), 'r')).toThrow('run r is being written by process ');
  child.kill('SIGKILL');
  await once(child, 'close');
  using _lock = lockRun(recordPath(), 'r');
});

test.for(['', '4711', '4711 12345', 'stopped', 'SQLite format 3\0'.padEnd(4096, 'x')])(
  'a file that is no lock of this kind is taken over: %j',
  (text) => {
    writeFileSync(`${recordPath()}.lock`, text);
    expect(lockState(recordPath())).toBe('stopped');
    using _lock = lockRun(recordPath(), 'r');
    expect(lockState(recordPath())).toBe('running');
  },
);

test('of many that try at once, one at a time has it', async () => {
  const tries = await Promise.all(Array.from({ length: 4 }, () => otherProcess()));
  expect(tries.filter(({ said }) => said === 'locked')).toHaveLength(1);
  for (const { child } of tries) child.kill('SIGKILL');
});
