import { mkdirSync, mkdtempSync, realpathSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeBulkFlow } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld } from '../testing/test-io.ts';

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-birth-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeBulkFlow(folder, 4);
  mkdirSync(join(folder, '.flow/runs'), { recursive: true });
  return folder;
}

/** Resolves with so many changes in a folder: a file made, written, renamed or removed. */
function changes(folder: string, wanted: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    const watcher = watch(folder, () => {
      seen += 1;
      if (seen < wanted) return;
      watcher.close();
      resolve();
    });
  });
}

const base = ['run', 'double', '--data', 'n.jsonl', '--name', 'r'];

test.for([1, 2, 3, 4, 6, 8, 12, 16])(
  'killed at change %d of its record, a run goes on or its name is free, and which is said',
  { timeout: 60_000 },
  async (wanted) => {
    const folder = newFolder();
    const changed = changes(join(folder, '.flow/runs'), wanted);
    const run = startFlow([...base, '--env', 'WAIT_MS=600000', '--json'], { folder });
    await changed;
    run.child.kill('SIGKILL');
    expect((await run.ended).signal).toBe('SIGKILL');
    const { flow } = createTestWorld({ folder, now: Date.now });
    const resumed = await flow('run', '--resume', 'r', '--env', 'WAIT_MS=0', '--quiet');
    const again = await flow(...base, '--quiet');
    const isBorn = resumed.code === 1;
    // A row of this flow fails, which is exit code 1.
    expect([resumed.code, again.code]).toEqual(isBorn ? [1, 2] : [2, 1]);
    if (isBorn) expect(again.stderr).toMatch(/^error: there is a run r already\n/);
    else expect(resumed.stderr).toMatch(/^error: there (?:is no run r|are no runs in )/);
    expect(resumed.stderr + again.stderr).not.toMatch(/record of|flow itself failed|no such file/);
  },
);
