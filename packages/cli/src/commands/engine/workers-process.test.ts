import { expect, test } from 'vitest';
import { engineProcesses, gatedRows } from '../../testing/engine-processes.ts';

const run = ['run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--json'];

test('two workers share the rows of a run; its record is the same as of one in process', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(40);
  await Promise.all([there.worker('one', '--concurrency', '2'), there.worker('two', '--concurrency', '2')]);
  const followed = there.run(...run);
  await there.gate.whenAsked(4);
  there.gate.open();
  const { code, stdout } = await followed;
  expect([code, JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
    0,
    { event: 'run-ended', status: 'Completed', rows: { total: 40, completed: 40 }, metrics: { sum: 1600 } },
  ]);
  expect(stdout.split('"row-ended"')).toHaveLength(41);
  expect(await there.rowsOf('r')).toEqual(gatedRows(40));
  expect([...there.gate.asked].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  const here = await there.flow('run', 'gated', '--data', 'n.jsonl', '--name', 'here', '--engine', '').ended;
  expect(here.code).toBe(0);
  const diff = await there.run('diff', 'here', 'r', '--exit-code');
  expect([diff.code, diff.stdout]).toEqual([
    0,
    expect.stringContaining('The same in 40 rows: every node, every output.'),
  ]);
});

test('a worker that is killed: its rows run on another one, every row is there once, and what ran again is told', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(20);
  const victim = await there.worker('victim', '--concurrency', '4');
  const followed = there.run(...run);
  await there.gate.whenAsked(4);
  there.gate.letThrough(6);
  await there.gate.whenAsked(10);
  victim.child.kill('SIGKILL');
  await there.worker('heir', '--concurrency', '4');
  there.gate.open();
  const { code, stderr } = await followed;
  expect(code).toBe(0);
  expect(await there.rowsOf('r')).toEqual(gatedRows(20));
  expect(stderr).toMatch(/a worker that had rows? .* went silent; heir goes on there/);
});

test('SIGTERM: rows in flight end, the others are handed back, exit 0', { timeout: 120_000 }, async () => {
  await using there = await engineProcesses(20);
  const first = await there.worker('first', '--concurrency', '3');
  const followed = there.run(...run);
  await there.gate.whenAsked(3);
  first.child.kill('SIGTERM');
  // The next one finds work at once: nothing waits for the first one to be taken for dead.
  await there.worker('second', '--concurrency', '3');
  there.gate.open();
  expect((await first.ended).code).toBe(0);
  const { code, stderr } = await followed;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('went silent')]);
  expect(await there.rowsOf('r')).toEqual(gatedRows(20));
  expect([...there.gate.asked].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test('SIGINT of a worker: the same, exit 130', { timeout: 120_000 }, async () => {
  await using there = await engineProcesses(1);
  const worker = await there.worker('only');
  worker.child.kill('SIGINT');
  expect((await worker.ended).code).toBe(130);
});

test('detached, the run needs nobody; who follows it leaves it going, whoever comes later sees it end', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(12);
  const detached = await there.run(...run.slice(0, -1), '--detach');
  expect([detached.code, detached.stdout]).toEqual([0, 'r\n']);
  await there.worker('one', '--concurrency', '2');
  const leaver = there.flow('attach', 'r');
  await Promise.all([there.gate.whenAsked(2), leaver.said(' of 12')]);
  leaver.child.kill('SIGINT');
  const left = await leaver.ended;
  expect([left.code, left.stderr]).toEqual([
    130,
    expect.stringContaining('the run goes on; flow attach r follows it again'),
  ]);
  there.gate.open();
  const attached = await there.run('attach', 'r', '--json');
  expect([attached.code, JSON.parse(attached.stdout.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
    0,
    { event: 'run-ended', rows: { completed: 12 }, metrics: { sum: 144 } },
  ]);
});

test('detached where no worker is: that is told; stopped, the run goes on detached as well', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(3);
  there.gate.open();
  const detached = await there.run(...run.slice(0, -1), '--detach');
  expect([detached.code, detached.stdout]).toEqual([0, 'r\n']);
  expect(detached.stderr).toContain('no worker is there: flow worker --engine with the same address starts one');
  const busy = await there.run('run', '--resume', 'r', '--detach');
  expect([busy.code, busy.stderr]).toEqual([
    2,
    expect.stringContaining('run r is under way\nflow attach r follows it'),
  ]);
  expect((await there.run('stop', 'r')).code).toBe(0);
  const resumed = await there.run('run', '--resume', 'r', '--detach');
  expect([resumed.code, resumed.stdout]).toEqual([0, 'r\n']);
  expect(resumed.stderr).toContain('no worker is there');
  await there.worker('one');
  const attached = await there.run('attach', 'r', '--json');
  expect([attached.code, JSON.parse(attached.stdout.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
    0,
    { event: 'run-ended', rows: { completed: 3 }, metrics: { sum: 9 } },
  ]);
});

test('who began a run is killed: the run goes on, and can be attached to', { timeout: 120_000 }, async () => {
  await using there = await engineProcesses(12);
  await there.worker('one', '--concurrency', '2');
  const followed = there.flow(...run);
  await there.gate.whenAsked(2);
  followed.child.kill('SIGKILL');
  there.gate.open();
  const attached = await there.run('attach', 'r', '--json');
  expect([attached.code, JSON.parse(attached.stdout.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
    0,
    { rows: { completed: 12 }, metrics: { sum: 144 } },
  ]);
});

test('a worker that stood still wakes when its rows are another worker’s: nothing it records counts', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(2);
  const frozen = await there.worker('frozen');
  const followed = there.run(...run);
  await there.gate.whenAsked(2);
  frozen.child.kill('SIGSTOP');
  const heir = await there.worker('heir');
  await there.gate.whenAsked(4);
  frozen.child.kill('SIGCONT');
  await frozen.said('is left: it was given to another worker', 2);
  there.gate.open();
  const { code, stderr } = await followed;
  expect([code, stderr]).toEqual([0, expect.stringContaining('went silent; heir goes on there')]);
  expect(await there.rowsOf('r')).toEqual(gatedRows(2));
  frozen.child.kill('SIGTERM');
  heir.child.kill('SIGTERM');
  expect([(await frozen.ended).code, (await heir.ended).code]).toEqual([0, 0]);
});

test('killed between two nodes of a durable row: the call that ended is not made again', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(2);
  const victim = await there.worker('victim');
  const followed = there.run('run', 'twice', '--data', 'n.jsonl', '--name', 'r', '--json', '--durable-nodes');
  await there.gate.whenAsked(2);
  there.gate.letThrough(2);
  await there.gate.whenAsked(4);
  victim.child.kill('SIGKILL');
  await there.worker('heir');
  await there.gate.whenAsked(6);
  there.gate.open();
  expect((await followed).code).toBe(0);
  expect([...there.gate.asked].sort((a, b) => a - b)).toEqual([0, 1, 1000, 1000, 1002, 1002]);
});

test('two that resume one run: it goes on once, and both see it end', { timeout: 120_000 }, async () => {
  await using there = await engineProcesses(12);
  await there.worker('one', '--concurrency', '2');
  const followed = there.flow(...run);
  await there.gate.whenAsked(2);
  followed.child.kill('SIGINT');
  await followed.said('"stopping"');
  there.gate.open();
  expect((await followed.ended).code).toBe(130);
  const resume = ['run', '--resume', 'r', '--json'];
  // From two places: each has the record of the run.
  const elsewhere = there.flow(...resume, '--runs-dir', 'elsewhere').ended;
  const ended = await Promise.all([there.run(...resume), elsewhere]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(await there.rowsOf('r')).toEqual(gatedRows(12));
  expect([...there.gate.asked].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n));
});

test('stopped and resumed: no row that was recorded runs again', { timeout: 120_000 }, async () => {
  await using there = await engineProcesses(20);
  await there.worker('one', '--concurrency', '2');
  const followed = there.run(...run);
  await there.gate.whenAsked(2);
  const stopped = await there.run('stop', 'r', '--json');
  expect(JSON.parse(stopped.stdout)).toEqual({ run_id: 'r', stopping: true });
  there.gate.open();
  const ended = await followed;
  expect(ended.code).toBe(130);
  const before = await there.rowsOf('r');
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(20);
  const resumed = await there.run('run', '--resume', 'r', '--json');
  expect(resumed.code).toBe(0);
  expect(await there.rowsOf('r')).toEqual(gatedRows(20));
  expect([...there.gate.asked].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

/** Lines of the rows that were told to have ended. */
function linesTold(stdout: string): readonly number[] {
  return [...stdout.matchAll(/"row-ended","line":(\d+)/g)].map(([, line]) => Number(line));
}

/** How many workers are killed: UNROLL_KILLS=20 takes minutes. */
const kills = Number(process.env['UNROLL_KILLS'] ?? 1);

test('workers killed at random moments: every row is there once, and none that was told to be done ran again', {
  timeout: 900_000,
}, async () => {
  const rows = 100 + 40 * kills;
  await using there = await engineProcesses(rows);
  const workers = [await there.worker('w0', '--concurrency', '4'), await there.worker('w1', '--concurrency', '4')];
  there.gate.open();
  const followed = there.flow(...run);
  const moments: { readonly told: readonly number[]; readonly asked: number }[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await followed.said('"row-ended"', 20 + 40 * kill + Math.floor(Math.random() * 40));
    workers.shift()?.child.kill('SIGKILL');
    moments.push({ told: linesTold(followed.text()), asked: there.gate.asked.length });
    workers.push(await there.worker(`heir${kill}`, '--concurrency', '4'));
  }
  expect((await followed.ended).code).toBe(0);
  expect(await there.rowsOf('r')).toEqual(gatedRows(rows));
  const again = moments.flatMap(({ told, asked }) =>
    told.filter((line) => there.gate.asked.slice(asked).includes(line)),
  );
  expect(again).toEqual([]);
});
