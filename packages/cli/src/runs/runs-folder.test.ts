import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRunFile, listRunIds, newRunId, runsFolder } from '@unroll/project';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';

const clock = { now: () => Date.UTC(2026, 10, 21, 6, 45, 0), randomText: () => 'a1b2' };
const io = (folder: string, environment: Readonly<Record<string, string>> = {}) => ({ folder, environment });

test.for([
  ['privacy-agent', '20261121-064500-privacy-agent-a1b2'],
  ['My flow/2', '20261121-064500-My-flow-2-a1b2'],
  ['個人情報', '20261121-064500-個人情報-a1b2'],
  ['【社内】ガイド（新）', '20261121-064500-社内-ガイド-新-a1b2'],
  ['\u30ab\u3099イト\u3099', '20261121-064500-ガイド-a1b2'],
  ['सवाल', '20261121-064500-सवाल-a1b2'],
  ['🙂/..', '20261121-064500-a1b2'],
  [`${'x'.repeat(39)}-y`, `20261121-064500-${'x'.repeat(39)}-a1b2`],
  ['𠮷'.repeat(60), `20261121-064500-${'𠮷'.repeat(40)}-a1b2`],
] as const)('the id of a run of %s is %s', ([name, id]) => {
  expect(newRunId(name, clock)).toBe(id);
});

test('where runs are kept', () => {
  expect(runsFolder(undefined, io('/work'))).toBe('/work/.flow/runs');
  expect(runsFolder(undefined, io('/work', { FLOW_RUNS: 'kept' }))).toBe('/work/kept');
  expect(runsFolder('/elsewhere', io('/work', { FLOW_RUNS: 'kept' }))).toBe('/elsewhere');
});

test('a run is found by its id, its start, and as the newest', () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'runs');
  const host = { folder: world.folder, runsFolder: folder };
  expect(() => findRunFile(undefined, host)).toThrow(`there are no runs in ${folder}`);
  mkdirSync(folder);
  for (const id of ['20261121-0645-a-1', '20261121-0650-a-2', '20261122-0100-b-3']) {
    writeFileSync(join(folder, `${id}.run`), '');
  }
  // Files that no run can be called.
  for (const name of ['...run', '.run', '.hidden.run']) writeFileSync(join(folder, name), '');
  expect(listRunIds(folder)).toEqual(['20261122-0100-b-3', '20261121-0650-a-2', '20261121-0645-a-1']);
  const find = (given?: string) => findRunFile(given, host).slice(folder.length + 1);
  expect([find(), find('latest'), find('20261121-065'), find('20261121-0645-a-1')]).toEqual([
    '20261122-0100-b-3.run',
    '20261122-0100-b-3.run',
    '20261121-0650-a-2.run',
    '20261121-0645-a-1.run',
  ]);
  expect(findRunFile('runs/20261121-0645-a-1.run', host)).toBe(join(folder, '20261121-0645-a-1.run'));
  expect(() => find('20261121')).toThrow('2 runs start with 20261121');
  expect(() => find('20261121-0645-a-2')).toThrow('there is no run 20261121-0645-a-2');
});

test.for([
  ['a file', (path: string) => writeFileSync(path, ''), 'a file stands where a folder is wanted'],
  ['a link to itself', (path: string) => symlinkSync(path, path), 'too many symbolic links'],
] as const)('a folder of runs behind %s is not taken for an empty one', async ([, make, reason]) => {
  using world = createTestWorld();
  make(join(world.folder, '.flow'));
  const runs = join(world.folder, '.flow', 'runs');
  expect(await world.flow('runs')).toMatchObject({ code: 2, stdout: '', stderr: `error: ${reason}: ${runs}\n` });
  expect(await world.flow('show')).toMatchObject({ code: 2, stdout: '', stderr: `error: ${reason}: ${runs}\n` });
  expect((await world.flow('completion', 'complete', '--', 'show', '')).stderr).toBe('');
});

test('what is no file in the place of a record is not opened, since a pipe would be waited for', async () => {
  using world = createTestWorld();
  mkdirSync(join(world.folder, '.flow', 'runs', 'x.run'), { recursive: true });
  const { code, stdout } = await world.flow('runs', 'check', 'x');
  expect(code).toBe(1);
  expect(stdout).toContain('x.run is no run record: it is no file');
});

test('flow diff tells why the newest run cannot be read', async () => {
  using world = createTestWorld();
  mkdirSync(join(world.folder, '.flow', 'runs', 'x.run'), { recursive: true });
  const stderr = 'error: .flow/runs/x.run is no run record: it is no file\nflow runs lists what can be read.\n';
  expect(await world.flow('diff')).toMatchObject({ code: 2, stderr });
});
