import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test('an index that another process writes: refused in words, and the same command goes on', {
  timeout: 60_000,
}, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'docs/a.md': '# A\none\n' });
  expect((await world.flow('index', 'build', 'docs', '--out', 'd.index')).code).toBe(0);
  writeFiles(world.folder, { 'docs/b.md': '# B\ntwo\n' });
  const told = [];
  {
    using other = new DatabaseSync(join(world.folder, 'd.index'));
    other.exec('BEGIN IMMEDIATE');
    for (const argv of [
      ['index', 'build', 'docs', '--out', 'd.index'],
      ['index', 'update', 'd.index'],
    ]) {
      const { code, stderr } = await world.flow(...argv);
      told.push([code, stderr]);
    }
  }
  const sentence =
    'error: d.index cannot be written: another process is writing the file\n' +
    'What was read is kept: the same command goes on from there.\n';
  expect(told).toEqual([
    [1, sentence],
    [1, sentence],
  ]);
  const { code, stdout } = await world.flow('index', 'build', 'docs', '--out', 'd.index');
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 documents')]);
});
