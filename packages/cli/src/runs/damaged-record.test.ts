import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { bulkWorld } from '../testing/bulk-flow.ts';
import type { TestWorld } from '../testing/test-io.ts';

/** A world with a recorded run `r` of 12 rows, the record of row 7 of which was changed. */
async function damagedWorld(): Promise<TestWorld> {
  const world = bulkWorld();
  await world.flow('run', 'double', '--data', 'n.jsonl', '--name', 'whole');
  copyFileSync(recordOf(world, 'whole'), recordOf(world, 'r'));
  using database = new DatabaseSync(recordOf(world, 'r'));
  database.exec('UPDATE row_ends SET duration_ms = duration_ms + 1 WHERE line = 7');
  return world;
}

const recordOf = (world: TestWorld, name: string): string => join(world.folder, '.flow/runs', `${name}.run`);
const leftOut = '1 row of .flow/runs/r.run cannot be read and is left out: 7';
const whereToLook = 'flow runs check .flow/runs/r.run tells all that is damaged.';

test.for([
  ['export', 'r'],
  ['export', 'r', '--nodes'],
  ['show', 'r'],
  ['show', 'r', '--json'],
])('flow %s %s %s tells which row is left out, and ends with 1', async (argv) => {
  using world = await damagedWorld();
  const { code, stdout, stderr } = await world.flow(...argv);
  expect(code).toBe(1);
  expect(stderr).toContain(leftOut);
  expect(stderr).toContain(whereToLook);
  expect(stdout).not.toBe('');
  if (argv[0] === 'export' && argv.length === 2) {
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).line_number);
    expect(lines).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
  }
});

test('the row itself is refused by its number', async () => {
  using world = await damagedWorld();
  const { code, stdout, stderr } = await world.flow('show', 'r', '--row', '7');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: row 7 of the run record \S+r\.run cannot be read: a record of it is damaged\n$/);
});

test('flow diff leaves out a row whose digests are not what was written', async () => {
  using world = await damagedWorld();
  {
    using database = new DatabaseSync(recordOf(world, 'r'));
    database.exec(`UPDATE row_digests SET digests = zeroblob(length(digests)) WHERE row = 7 << 20`);
  }
  const { code, stdout, stderr } = await world.flow('diff', 'whole', 'r');
  expect(code).toBe(1);
  expect(stderr).toContain(leftOut);
  expect(stdout).toContain('11');
});

test('flow eval scores the rows that can be read, and tells which it left out', async () => {
  using world = await damagedWorld();
  writeFileSync(
    join(world.folder, 'eval.yaml'),
    'flow: double\ndata: n.jsonl\nmetrics:\n- {name: odd, on: outputs.o, evaluator: equals, expected: 5, gate: {min: 0}}\n',
  );
  const { code, stdout, stderr } = await world.flow('eval', 'eval.yaml', '--run', 'r', '--json');
  expect(stderr).toContain(leftOut);
  expect(stderr).toContain(whereToLook);
  expect(code).toBe(1);
  // Of 12 rows 3 fails and 7 is damaged; 5 is what comes of 2.
  expect(JSON.parse(stdout).metrics).toMatchObject([{ name: 'odd', summary: { mean: 0.1, scored: 10 } }]);
});

test('flow runs check tells what is damaged, for people and as JSON', async () => {
  using world = await damagedWorld();
  const sound = await world.flow('runs', 'check', 'whole');
  expect([sound.code, sound.stdout]).toEqual([0, '.flow/runs/whole.run is sound\n']);
  const { code, stdout } = await world.flow('runs', 'check', 'r');
  expect(code).toBe(1);
  expect(stdout).toContain('row 7 of the run record');
  expect(stdout).toContain('.flow/runs/r.run is damaged: 1 row cannot be read');
  const json = await world.flow('runs', 'check', 'whole', 'r', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { run_id: 'whole', is_sound: true, damage: [] },
    { run_id: 'r', is_sound: false, damage: [{ row: '7', line: 7, repeat: 0 }] },
  ]);
});

test('flow runs check tells a row that can be read, but not compared, from one that cannot be read', async () => {
  using world = await damagedWorld();
  {
    using database = new DatabaseSync(recordOf(world, 'r'));
    database.exec('UPDATE row_digests SET digests = zeroblob(length(digests)) WHERE row IN (2 << 20, 7 << 20)');
  }
  const { code, stdout } = await world.flow('runs', 'check', 'r');
  expect(code).toBe(1);
  expect(stdout).toContain(
    'r.run is damaged: 1 row cannot be read, 1 row can be read, but not compared with other runs',
  );
  const json = await world.flow('runs', 'check', 'r', '--json');
  expect(JSON.parse(json.stdout)[0].damage).toMatchObject([
    { row: '2', can_be_read: true },
    { row: '7', can_be_read: false },
  ]);
  const exported = await world.flow('export', 'r');
  expect(exported.stdout).toContain('"line_number":2,');
  expect(exported.stdout).not.toContain('"line_number":7,');
});

test('a run does not go on in a file whose pages or segments are damaged', async () => {
  using world = await damagedWorld();
  {
    using database = new DatabaseSync(recordOf(world, 'r'));
    database.exec('UPDATE segments SET bytes = zeroblob(length(bytes))');
  }
  const { code, stderr } = await world.flow('run', '--resume', 'r');
  expect(code).toBe(2);
  expect(stderr).toMatch(/error: segment 1 of the run record \S+ is damaged/);
});

test('a run of which outputs are taken with --since runs what cannot be read', async () => {
  using world = await damagedWorld();
  const { code, stderr } = await world.flow('run', 'double', '--data', 'n.jsonl', '--since', 'r', '--name', 'again');
  expect(stderr).not.toContain('flow itself failed');
  expect(code).toBe(1);
  const shown = await world.flow('export', 'again');
  expect(shown.stdout.trimEnd().split('\n')).toHaveLength(12);
});

const spoil: Readonly<Record<string, (path: string) => void>> = {
  'has no bytes': (path) => writeFileSync(path, ''),
  'has half its bytes': (path) => truncateSync(path, 8192 * 3),
  'ends within its first page': (path) => truncateSync(path, 500),
  'has a first page of zeros': (path) =>
    writeFileSync(path, Buffer.concat([Buffer.alloc(8192), readFileSync(path).subarray(8192)])),
  'is of a newer release': (path) => {
    using database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 7');
  },
  'is of a development version': (path) => {
    using database = new DatabaseSync(path);
    database.exec('PRAGMA application_id = 0; PRAGMA user_version = 5');
  },
};

test.for(Object.keys(spoil))('of a file that %s every command says so in one sentence', async (how) => {
  using world = await damagedWorld();
  spoil[how]?.(recordOf(world, 'r'));
  for (const argv of [
    ['show', 'r'],
    ['export', 'r'],
    ['diff', 'whole', 'r'],
    ['why', 'r'],
    ['trace', 'r'],
    ['run', '--resume', 'r'],
    ['runs', 'check', 'r'],
  ]) {
    const { code, stdout, stderr } = await world.flow(...argv);
    expect({ argv, isFailed: code === 1 || code === 2 }).toEqual({ argv, isFailed: true });
    expect(stdout + stderr).toMatch(/r\.run|ended before its record began/);
    expect(stdout + stderr).not.toMatch(/flow itself failed|mistake in flow|bug:|\n +at /);
  }
  const { code, stdout } = await world.flow('runs', '--json');
  expect([code, JSON.parse(stdout).length]).toEqual([0, 2]);
});
