import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { holdProcess } from './start-worker.ts';

test('a process that has no streams, as where no more files can be opened, is held and let go', async () => {
  const child: ChildProcess = spawn('python3', ['-c', ''], { stdio: 'ignore' });
  expect(() => holdProcess(child, false)).not.toThrow();
  expect(() => holdProcess(child, true)).not.toThrow();
  await once(child, 'exit');
});
