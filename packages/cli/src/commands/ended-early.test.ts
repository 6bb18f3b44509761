import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bulkWorld, callsOf, writeBulkFlow } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
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

test('a run of one row that was killed is shown as it was, and a resume is refused in words', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-killed-row-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeBulkFlow(folder, 1);
  const run = startFlow(['run', 'double', '--input', 'n=-1', '--name', 'r'], { folder });
  while (callsOf(folder).length === 0) await new Promise((resolve) => setImmediate(resolve));
  run.child.kill('SIGKILL');
  expect((await run.ended).signal).toBe('SIGKILL');
  const flow = (...argv: readonly string[]) => startFlow(argv, { folder }).ended;
  expect(await flow('show', 'r')).toMatchObject({
    code: 2,
    stderr: 'error: run r has no finished row: it is still running, or was ended by force\n',
  });
  expect(await flow('run', '--resume', 'r')).toMatchObject({
    code: 2,
    stderr: 'error: run r was no run over data: there is nothing to go on with\n',
  });
  expect(await flow('runs', 'check', 'r')).toMatchObject({ code: 0, stdout: '.flow/runs/r.run is sound\n' });
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
