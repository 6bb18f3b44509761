import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { writeBulkFlow } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld } from '../testing/test-io.ts';

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-output-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const full = 'error: the output cannot be written: no space left on the disk\n';

test.for([['--help'], ['completion', 'bash'], ['show', 'r'], ['export', 'r', '--format', 'csv']])(
  'a disk that is full behind stdout is one sentence: %s',
  async (argv) => {
    const folder = newFolder();
    writeBulkFlow(folder, 4);
    await startFlow(['run', 'double', '--data', 'n.jsonl', '--name', 'r', '--quiet'], { folder }).ended;
    const ended = await startFlow(argv, { folder, stdout: openSync('/dev/full', 'w') }).ended;
    expect([ended.code, ended.stderr]).toEqual([1, full]);
  },
);

test('a run whose output cannot be written is recorded, and its exit code is 1', async () => {
  const folder = newFolder();
  writeBulkFlow(folder, 3);
  const argv = ['run', 'double', '--data', 'n.jsonl', '--name', 'r', '--json'];
  const ended = await startFlow(argv, { folder, stdout: openSync('/dev/full', 'w') }).ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr.startsWith(full)).toBe(true);
  expect(ended.stderr).not.toContain('    at ');
  expect((await startFlow(['run', '--resume', 'r', '--quiet'], { folder }).ended).code).toBe(0);
});

test('a run that has ended is not told to be stopping because nobody reads what it says at its end', async () => {
  const folder = newFolder();
  writeBulkFlow(folder, 3);
  const run = startFlow(['run', 'double', '--data', 'n.jsonl', '--name', 'r'], { folder });
  run.child.stdout?.destroy();
  const ended = await run.ended;
  expect(ended.stderr).not.toContain('nobody reads');
  expect(ended.code).toBe(0);
});

test.for(['latest', 'Latest', 'a.run', 'nul', 'COM1.x'])(
  '--name %s is refused: it means something else',
  async (name) => {
    using world = createTestWorld();
    await world.flow('init', 'a');
    const { code, stderr } = await world.flow('run', 'a', '--name', name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`error: a run cannot be called "${name}"`)]);
  },
);

/** A folder in which nothing can be made: on a read-only file system, else without the right to. */
function unwritable(folder: string, context: TestContext): void {
  if (process.getuid?.() !== 0) {
    const within = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isDirectory());
    const folders = [folder, ...within.map(({ parentPath, name }) => join(parentPath, name))];
    for (const one of folders) chmodSync(one, 0o555);
    // Called before the folder is removed.
    onTestFinished(() => {
      for (const one of folders) chmodSync(one, 0o755);
    });
    return;
  }
  try {
    execFileSync('mount', ['--bind', folder, folder], { stdio: 'ignore' });
    execFileSync('mount', ['-o', 'remount,bind,ro', folder], { stdio: 'ignore' });
  } catch {
    context.skip('this root may not mount');
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
}

test('a folder that may not be written is told as that', async (context) => {
  const folder = newFolder();
  using world = createTestWorld({ folder });
  await world.flow('init', 'a');
  await world.flow('run', 'a', '--name', 'one');
  await world.flow('index', 'build', 'a/notes.md', '--out', 'k.index');
  mkdirSync(join(folder, 'empty'));
  unwritable(folder, context);
  for (const argv of [
    ['run', 'a'],
    ['run', 'a', '--runs-dir', 'new'],
    ['run', 'a', '--runs-dir', 'empty'],
    ['run', '--resume', 'one'],
    ['init', 'b'],
    ['index', 'build', 'a/notes.md', '--out', 'n.index'],
    ['index', 'build', 'a/notes.md', '--out', 'k.index'],
    ['export', 'one', '--out', 'x.csv'],
    ['graph', 'a', '--svg', 'x.svg'],
    ['runs', 'rm', 'one'],
  ]) {
    const { code, stderr } = await world.flow(...argv);
    expect({ argv, code: code === 1 || code === 2, stderr }).toEqual({
      argv,
      code: true,
      stderr: expect.stringMatching(/^error: .*(read-only file system|permission denied)/),
    });
    expect(stderr).not.toMatch(/flow itself failed|no such file/);
  }
});

test('a file that is there and cannot be read is not told as missing', async () => {
  using world = createTestWorld();
  await world.flow('init', 'a');
  symlinkSync('round', join(world.folder, 'round'));
  writeFileSync(join(world.folder, 'plain'), '');
  for (const argv of [
    ['run', 'a', '--inputs', 'round'],
    ['run', 'a', '--data', 'round'],
  ]) {
    const { stderr } = await world.flow(...argv);
    expect(stderr).toMatch(/^error: .*round.*too many symbolic links/);
  }
});
