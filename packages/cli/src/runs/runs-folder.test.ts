import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Redactor } from '@unroll/engine';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { findRun, listRunIds, newRunId, runsFolder } from './runs-folder.ts';

const io = (folder: string, environment: Readonly<Record<string, string>> = {}) => ({
  stdout: { write: () => {}, data: () => {}, control: () => {}, isTerminal: false, columns: undefined },
  stderr: { write: () => {}, data: () => {}, control: () => {}, isTerminal: false, columns: undefined },
  folder,
  environment,
  redactor: new Redactor(),
  readStdin: async () => '',
  stdin: () => Readable.from([]),
  isInteractive: false,
  ask: async () => undefined,
  now: () => Date.UTC(2026, 10, 21, 6, 45, 0),
  every: () => () => undefined,
  randomText: () => 'a1b2',
  interruption: () => new AbortController().signal,
});

test.for([
  ['privacy-agent', '20261121-064500-privacy-agent-a1b2'],
  ['My flow/2', '20261121-064500-My-flow-2-a1b2'],
  ['個人情報', '20261121-064500-a1b2'],
] as const)('the id of a run of %s is %s', ([name, id]) => {
  expect(newRunId(name, io('/'))).toBe(id);
});

test('where runs are kept', () => {
  expect(runsFolder({}, io('/work'))).toBe('/work/.flow/runs');
  expect(runsFolder({}, io('/work', { FLOW_RUNS: 'kept' }))).toBe('/work/kept');
  expect(runsFolder({ runsDir: '/elsewhere' }, io('/work', { FLOW_RUNS: 'kept' }))).toBe('/elsewhere');
});

test('a run is found by its id, its start, and as the newest', () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'runs');
  expect(() => findRun(undefined, folder, io(world.folder))).toThrow(`there are no runs in ${folder}`);
  mkdirSync(folder);
  for (const id of ['20261121-0645-a-1', '20261121-0650-a-2', '20261122-0100-b-3']) {
    writeFileSync(join(folder, `${id}.run`), '');
  }
  expect(listRunIds(folder)).toEqual(['20261122-0100-b-3', '20261121-0650-a-2', '20261121-0645-a-1']);
  const find = (given?: string) => findRun(given, folder, io(world.folder)).slice(folder.length + 1);
  expect([find(), find('latest'), find('20261121-065'), find('20261121-0645-a-1')]).toEqual([
    '20261122-0100-b-3.run',
    '20261122-0100-b-3.run',
    '20261121-0650-a-2.run',
    '20261121-0645-a-1.run',
  ]);
  expect(findRun('runs/20261121-0645-a-1.run', folder, io(world.folder))).toBe(join(folder, '20261121-0645-a-1.run'));
  expect(() => find('20261121')).toThrow('2 runs start with 20261121');
  expect(() => find('20261121-0645-a-2')).toThrow('there is no run 20261121-0645-a-2');
});
