import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bulkWorld, callsOf } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
import { untilFiles } from '../testing/until-files.ts';
import { writeFiles } from '../testing/write-files.ts';

test.for([
  { name: 'of the whole run', limit: { PF_BATCH_TIMEOUT_SEC: '2' }, code: 'BatchExecutionTimeoutError' },
  { name: 'of a row', limit: { PF_LINE_TIMEOUT_SEC: '2' }, code: 'LineExecutionTimeoutError' },
])('a run that passed the time limit $name: exit 1', { timeout: 60_000 }, async ({ limit, code }) => {
  using world = bulkWorld({ environment: limit });
  writeFiles(world.folder, { 'hung.jsonl': '{"n": -1}\n' });
  const said = await world.flow('run', 'double', '--data', 'hung.jsonl', '--name', 'r', '--json');
  expect(said.code).toBe(1);
  const last = JSON.parse(said.stdout.trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ event: 'run-ended', rows: { total: 1, failed: 1 } });
  expect(last.failures).toMatchObject([{ code }]);
});

test('a run of one row that was killed is told as ended, also by an export, and a resume is refused in words', async () => {
  using world = bulkWorld();
  const run = startFlow(['run', 'double', '--input', 'n=-1', '--name', 'r'], { folder: world.folder });
  await untilFiles(join(world.folder, 'double'), () => callsOf(world.folder).length > 0);
  const status = async () => JSON.parse((await world.flow('runs', '--json')).stdout) as unknown;
  expect(await status()).toMatchObject([{ id: 'r', status: 'Running', rows: 0 }]);
  const early = await world.flow('export', 'r');
  expect(early).toMatchObject({ code: 3, stdout: '', stderr: 'warning: run r is under way: its row has not ended\n' });
  run.child.kill('SIGKILL');
  expect((await run.ended).signal).toBe('SIGKILL');
  expect(await status()).toMatchObject([{ id: 'r', status: 'Canceled', rows: 0 }]);
  expect(await world.flow('show', 'r')).toMatchObject({
    code: 2,
    stderr: 'error: run r has no finished row: it is still running, or was ended by force\n',
  });
  for (const how of [[], ['--nodes'], ['--out', 'r.csv']])
    expect(await world.flow('export', 'r', ...how)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^(r\.csv written\n)?warning: run r was ended by force: its row is not recorded\n$/,
      ),
    });
  expect(await world.flow('run', 'double', '--input', 'n=1', '--name', 'r')).toMatchObject({
    code: 2,
    stderr: 'error: there is a run r already\nflow runs rm r removes it; another --name keeps it.\n',
  });
  expect(await world.flow('run', '--resume', 'r')).toMatchObject({
    code: 2,
    stderr: 'error: run r was no run over data: there is nothing to go on with\n',
  });
  expect(await world.flow('runs', 'check', 'r')).toMatchObject({ code: 0, stdout: '.flow/runs/r.run is sound\n' });
  expect((await world.flow('runs', 'rm', 'r')).code).toBe(0);
});

test('an export or a diff of a run over data that did not end says how many rows it has', async () => {
  using world = bulkWorld();
  writeFiles(world.folder, { 'hung.jsonl': '{"n": 1}\n{"n": -1}\n' });
  const argv = ['run', 'double', '--data', 'hung.jsonl', '--name', 'r', '--concurrency', '1', '--json'];
  const run = startFlow(argv, { folder: world.folder });
  await run.said('"row-ended"');
  await untilFiles(join(world.folder, 'double'), () => callsOf(world.folder).length >= 2);
  expect(await world.flow('export', 'r')).toMatchObject({
    code: 3,
    stderr: 'warning: run r is under way: 1 of 2 rows are here\n',
  });
  await world.flow('run', 'double', '--data', 'n.jsonl', '--name', 'whole');
  expect(await world.flow('diff', 'whole', 'r')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('only in A'),
    stderr: 'warning: run r is under way: 1 of 2 rows are here\n',
  });
  run.child.kill('SIGKILL');
  await run.ended;
  const { code, stdout, stderr } = await world.flow('export', 'r');
  expect([code, stderr]).toEqual([3, 'warning: run r was stopped before its end: 1 of 2 rows are here\n']);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect((await world.flow('run', 'double', '--input', 'n=1', '--name', 'r')).stderr).toContain(
    'flow run --resume r goes on with it',
  );
});

test.for([
  ['a file in the place of .flow', (folder: string) => writeFileSync(join(folder, '.flow'), ''), []],
  ['a folder where nothing can be made', () => undefined, ['--runs-dir', '/proc/runs']],
  ['a file in the place of the folder', () => undefined, ['--runs-dir', 'n.jsonl']],
] as const)('no record can be made: %s', async ([, make, argv]) => {
  using world = bulkWorld();
  make(world.folder);
  for (const what of [
    ['--data', 'n.jsonl'],
    ['--input', 'n=1'],
  ]) {
    const said = await world.flow('run', 'double', ...what, ...argv);
    expect(said).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: runs cannot be recorded in /) });
  }
  expect(callsOf(world.folder)).toEqual([]);
});
