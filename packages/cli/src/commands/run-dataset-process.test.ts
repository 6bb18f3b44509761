import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOf, openSqliteRunReader } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { callsOf, writeBulkFlow } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld, type Said } from '../testing/test-io.ts';
import { untilFiles } from '../testing/until-files.ts';
import { writeFiles } from '../testing/write-files.ts';

function bulkFolder(rows: number): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-process-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeBulkFlow(folder, rows);
  return folder;
}

/** A command line to its end in this process, which is another than the one that was ended. */
function flowIn(folder: string, ...argv: readonly string[]): Promise<Said> {
  return createTestWorld({ folder, now: Date.now }).flow(...argv);
}

const slow = ['run', 'double', '--data', 'n.jsonl', '--name', 'r', '--env', 'WAIT_MS=20', '--json'];
const resume = ['run', '--resume', 'r', '--env', 'WAIT_MS=0', '--json'];

async function rowsOf(folder: string): Promise<readonly string[]> {
  await using store = openSqliteRunReader(join(folder, '.flow/runs/r.run'));
  return (await allOf(store.rows())).map(({ line, status, outputs }) => `${line} ${status} ${JSON.stringify(outputs)}`);
}

/** How often nodes were called that were called more than once, but for those of a row that fails. */
function repeatedCalls(folder: string): readonly string[] {
  const calls = callsOf(folder).filter((call) => call !== 'double 3');
  return calls.filter((call, at) => calls.indexOf(call) !== at);
}

test('Ctrl-C: no new rows, those in flight end and are recorded; exit 130; the run goes on from there', async () => {
  const folder = bulkFolder(200);
  const run = startFlow([...slow, '--concurrency', '4'], { folder });
  await run.said('row-ended', 10);
  run.child.kill('SIGINT');
  const stopped = await run.ended;
  expect([stopped.code, stopped.signal]).toEqual([130, null]);
  expect(stopped.stdout).toContain('{"event":"stopping"}');
  const before = await rowsOf(folder);
  expect(before.length).toBe(stopped.stdout.split('row-ended').length - 1);
  expect(callsOf(folder).filter((call) => call.startsWith('double'))).toHaveLength(before.length);
  const resumed = await flowIn(folder, ...resume);
  expect(resumed.code).toBe(1);
  expect(await rowsOf(folder)).toHaveLength(200);
  expect(repeatedCalls(folder)).toEqual([]);
}, 120_000);

test.for(['SIGTERM', 'SIGHUP'] as const)('%s: the same as Ctrl-C', async (name) => {
  const folder = bulkFolder(40);
  const run = startFlow([...slow, '--env', 'WAIT_MS=100', '--concurrency', '2'], { folder });
  await run.said('row-ended', 3);
  run.child.kill(name);
  const stopped = await run.ended;
  expect([stopped.code, stopped.signal]).toEqual([130, null]);
  expect(stopped.stdout).toContain('{"event":"stopping"}');
  const before = await rowsOf(folder);
  expect(before.length).toBe(stopped.stdout.split('row-ended').length - 1);
  expect(before.length).toBeLessThan(40);
  expect(callsOf(folder).filter((call) => call.startsWith('double'))).toHaveLength(before.length);
});

test('a flow that changed meanwhile is told before the run goes on, which --force does all the same', async () => {
  const folder = bulkFolder(30);
  const run = startFlow([...slow, '--env', 'WAIT_MS=100', '--concurrency', '2'], { folder });
  await run.said('row-ended', 2);
  run.child.kill('SIGINT');
  await run.ended;
  appendFileSync(join(folder, 'double/flow.dag.yaml'), '# changed\n');
  const refused = await flowIn(folder, ...resume);
  expect(refused.code).toBe(2);
  expect(refused.stderr + refused.stdout).toContain(
    'double/flow.dag.yaml, or a file it names, changed since run r began',
  );
  const forced = await flowIn(folder, ...resume, '--force');
  expect(forced.code).toBe(1);
  expect(await rowsOf(folder)).toHaveLength(30);
});

test('Ctrl-C twice ends at once and says how to go on', async () => {
  const folder = bulkFolder(50);
  const argv = ['run', 'double', '--data', 'n.jsonl', '--name', 'r', '--env', 'WAIT_MS=600000'];
  const run = startFlow(argv, { folder });
  await run.said('in flight', 0);
  await untilFiles(join(folder, 'double'), () => callsOf(folder).length > 0);
  run.child.kill('SIGINT');
  await run.said('stopping');
  run.child.kill('SIGINT');
  const ended = await run.ended;
  expect([ended.code, ended.stdout]).toEqual([130, '']);
  expect(ended.stderr).toContain('flow run --resume r\n');
}, 120_000);

test('Ctrl-C twice ends what Python nodes started, too', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-process-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, {
    'flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {}
nodes:
  - {name: start, type: python, source: {type: code, path: start.py}, inputs: {n: "\${inputs.n}"}}
`,
    'start.py': `import pathlib, subprocess, time
from promptflow.core import tool

@tool
def start(n: int) -> int:
    pathlib.Path("started").write_text(str(subprocess.Popen(["sleep", "600"]).pid) + "\\n")
    time.sleep(600)
    return n
`,
    'rows.jsonl': '{"n": 1}\n',
  });
  const run = startFlow(['run', '.', '--data', 'rows.jsonl'], { folder });
  const started = join(folder, 'started');
  await untilFiles(folder, () => existsSync(started) && readFileSync(started, 'utf8').endsWith('\n'));
  run.child.kill('SIGINT');
  await run.said('stopping');
  run.child.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  // What has ended stays as a zombie (Z) until somebody asks how.
  const stateOf = (pid: string): string => spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout;
  while (/^[^Z\s]/.test(stateOf(readFileSync(started, 'utf8').trim()))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}, 120_000);

test('a reader that goes away (| head) stops the run: rows in flight are recorded, and it goes on from there', async () => {
  const folder = bulkFolder(200);
  const run = startFlow([...slow, '--concurrency', '4'], { folder });
  await run.said('row-ended', 5);
  run.child.stdout?.destroy();
  const stopped = await run.ended;
  expect([stopped.code, stopped.signal, stopped.stderr]).toEqual([
    130,
    null,
    'stopped: nobody reads the output any more; the run goes on with\n  flow run --resume r\n',
  ]);
  const before = await rowsOf(folder);
  expect(before.length).toBeGreaterThanOrEqual(5);
  expect(callsOf(folder).filter((call) => call.startsWith('double'))).toHaveLength(before.length);
  expect((await flowIn(folder, ...resume)).code).toBe(1);
  expect(await rowsOf(folder)).toHaveLength(200);
  expect(repeatedCalls(folder)).toEqual([]);
}, 120_000);

test('killed again and again, a run loses nothing that was told to be done and ends as one left in peace', async () => {
  const folder = bulkFolder(120);
  const told = new Set<string>();
  for (const rows of [3, 17, 9, 26]) {
    const argv = told.size === 0 ? slow : [...resume.slice(0, 3), '--env', 'WAIT_MS=20', '--json'];
    const run = startFlow(argv, { folder });
    await run.said('row-ended', rows);
    run.child.kill('SIGKILL');
    const { signal, stdout } = await run.ended;
    expect(signal).toBe('SIGKILL');
    for (const [, line] of stdout.matchAll(/"row-ended","line":(\d+)/g)) told.add(line ?? '');
    const recorded = new Set((await rowsOf(folder)).map((row) => row.split(' ')[0]));
    expect([...told].filter((line) => !recorded.has(line))).toEqual([]);
  }
  expect((await flowIn(folder, ...resume)).code).toBe(1);
  const undisturbed = bulkFolder(120);
  await flowIn(undisturbed, ...slow);
  expect(await rowsOf(folder)).toEqual(await rowsOf(undisturbed));
  await using store = openSqliteRunReader(join(folder, '.flow/runs/r.run'));
  expect(await store.metrics()).toEqual({ sum: 120 ** 2 - 7 });
  // What was in flight or had ended in the last milliseconds before a kill is called again: of each of 8 rows both its nodes.
  expect(repeatedCalls(folder).length).toBeLessThanOrEqual(4 * 8 * 2);
}, 120_000);

test('a run that is under way cannot be resumed or removed by another process', async () => {
  const folder = bulkFolder(60);
  const run = startFlow([...slow, '--env', 'WAIT_MS=600000'], { folder });
  await run.said('row-ended');
  const other = await flowIn(folder, 'run', '--resume', 'r', '--env', 'WAIT_MS=0');
  expect([other.code, other.stderr]).toEqual([
    2,
    `error: run r is being written by process ${run.child.pid} on ${hostname()}\nWait until it has ended, or stop it; then the run can go on.\n`,
  ]);
  expect((await flowIn(folder, 'runs', 'rm', 'r')).stderr).toBe('error: run r is under way\n');
  expect((await flowIn(folder, 'runs', '--json')).stdout).toContain('"status": "Running"');
  run.child.kill('SIGKILL');
  await run.ended;
}, 120_000);

/** Modes do not bind root: there the command runs as nobody. */
const asNobody = (folder: string) => ({ folder, ...(process.getuid?.() === 0 ? { uid: 65_534 } : {}) });

test('a flow that may not be read: one message, and it is not told as a run that failed', async () => {
  const folder = bulkFolder(1);
  chmodSync(folder, 0o755);
  const flow = join(folder, 'double', 'flow.dag.yaml');
  chmodSync(flow, 0o000);
  const ended = await startFlow(['check', 'double'], asNobody(folder)).ended;
  expect([ended.code, ended.stderr]).toEqual([2, `error: permission denied: ${flow}\n`]);
}, 120_000);

test('a folder that may not be searched is told as that, not as one without a flow', async () => {
  const folder = bulkFolder(1);
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'double'), 0o600);
  const ended = await startFlow(['check', 'double'], asNobody(folder)).ended;
  chmodSync(join(folder, 'double'), 0o700);
  expect([ended.code, ended.stderr]).toEqual([2, 'error: double cannot be searched: permission denied\n']);
}, 120_000);

test('a folder that cannot be written: one message, nothing runs', async () => {
  const folder = bulkFolder(5);
  mkdirSync(join(folder, 'kept'));
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'kept'), 0o555);
  const ended = await startFlow(['run', 'double', '--data', 'n.jsonl', '--runs-dir', 'kept'], asNobody(folder)).ended;
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toBe(
    `error: runs cannot be recorded in ${join(folder, 'kept')}: permission denied\n` +
      '--runs-dir FOLDER or FLOW_RUNS names another folder.\n',
  );
  expect(callsOf(folder)).toEqual([]);
}, 120_000);

/** A file system of 400 kB; undefined where this user may not mount one. */
function smallDisk(folder: string): string | undefined {
  const path = join(folder, 'small');
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', [path]));
  return path;
}

test('a full disk: one message, what was recorded is kept, and with room the run goes on', async (context) => {
  const folder = bulkFolder(3_000);
  const disk = smallDisk(folder);
  if (disk === undefined) return context.skip('this user may not mount a file system');
  const argv = ['run', 'double', '--data', 'n.jsonl', '--name', 'r', '--runs-dir', 'small', '--quiet'];
  const full = await startFlow(argv, { folder }).ended;
  expect([full.code, full.stdout]).toEqual([1, '']);
  expect(full.stderr).toBe(
    'error: the record small/r.run cannot be written: the disk is full\n' +
      'What was recorded is kept; once there is room the run goes on with\n' +
      '  flow run --resume r --runs-dir small\n',
  );
  execFileSync('mount', ['-o', 'remount,size=200m', disk]);
  const resumed = await flowIn(folder, 'run', '--resume', 'r', '--runs-dir', 'small', '--quiet');
  expect(resumed.code).toBe(1);
  await using store = openSqliteRunReader(join(disk, 'r.run'));
  expect(await store.rowCounts()).toEqual({ Completed: 2_999, Failed: 1, Canceled: 0 });
}, 120_000);
