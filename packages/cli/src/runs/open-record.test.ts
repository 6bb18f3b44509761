import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bulkWorld } from '../testing/bulk-flow.ts';

const commands: readonly (readonly string[])[] = [
  ['show', 'bad.run'],
  ['export', 'bad.run'],
  ['why', 'bad.run'],
  ['trace', 'bad.run'],
  ['diff', 'bad.run', 'bad.run'],
  ['run', '--resume', 'bad.run'],
  ['run', 'double', '--data', 'n.jsonl', '--since', 'bad.run'],
];

test.for(commands)('a record that is no record is told plainly: flow %s %s', async (argv) => {
  using world = bulkWorld();
  writeFileSync(join(world.folder, 'bad.run'), 'this is no database at all, only text that goes on a little');
  const { code, stderr } = await world.flow(...argv);
  expect(code).toBe(2);
  expect(stderr).toContain('bad.run');
  expect(stderr).toContain('flow runs lists what can be read.');
  expect(stderr).not.toMatch(/flow itself failed|\n +at /);
});

test('a file that cannot be written is named with the reason', async () => {
  using world = bulkWorld();
  await world.flow('run', 'double', '--data', 'n.jsonl');
  const { code, stderr } = await world.flow('export', '-o', 'n.jsonl/rows.csv');
  expect(code).toBe(2);
  expect(stderr).toContain('n.jsonl/rows.csv cannot be written: a file stands where a folder is wanted');
});

test('--rows that takes nothing says which rows there are', async () => {
  using world = bulkWorld();
  const { code, stderr } = await world.flow('run', 'double', '--data', 'n.jsonl', '--rows', '50-60');
  expect(code).toBe(2);
  expect(stderr).toContain('--rows 50-60 takes no row of n.jsonl');
  expect(stderr).toContain('It has 12 rows, 0 to 11.');
});
