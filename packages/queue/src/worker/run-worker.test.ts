import { join } from 'node:path';
import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { resumeOnEngine } from '../coordinator/resume-on-engine.ts';
import { detachOnEngine, runOnEngine } from '../coordinator/run-on-engine.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { gatedFlow, startGate } from '../testing/gate-server.ts';
import { startWorker } from '../testing/local-worker.ts';
import { listWorkers } from '../work/index.ts';
import { runWorker } from './run-worker.ts';

const never = new AbortController().signal;

function submitted(world: EngineWorld, flow: string, more: object = {}) {
  const bulk = { ...defaultBulkSettings(world.host), flow, data: 'n.jsonl', name: 'r', ...more };
  return { bulk, durableNodes: false };
}

const chatFlow = {
  'chat/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {o: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: llm, source: {type: code, path: say.jinja2}, inputs: {deployment_name: d, q: "\${inputs.n}"}, connection: mine, api: chat}
`,
  'chat/say.jinja2': '# user:\n{{q}}\n',
  'connections.yaml': 'mine: {type: offline}\n',
};

test('a worker without a connection says which, and leaves the run to one that has it', async () => {
  await using world = await engineWorld();
  world.write({ ...chatFlow, 'n.jsonl': numbers(3) });
  await using poor = startWorker(world, { name: 'poor' });
  const running = runOnEngine(submitted(world, 'chat'), world.database, world.host, never);
  await poor.said('waits for another worker');
  await expect
    .poll(() => world.warnings().join('\n'), { timeout: 60_000 })
    .toMatch(/worker poor on .* cannot run it: .*"?mine"?/);
  await using _rich = startWorker(world, { name: 'rich', connectionsFile: join(world.folder, 'connections.yaml') });
  const { result } = await running;
  expect(result).toMatchObject({ rows: 3, stopped: false });
});

test('a worker whose file of connections cannot be read does not begin', async () => {
  await using world = await engineWorld();
  const settings = { name: 'w', concurrency: 1, cache: join(world.folder, 'cache'), signal: never, onLine: () => {} };
  const connectionsFile = join(world.folder, 'no', 'connections.yaml');
  await expect(runWorker({ ...settings, connectionsFile }, world.host, world.database)).rejects.toThrow(
    'connections.yaml',
  );
});

test('what a worker lacks is told whatever it holds', async () => {
  await using world = await engineWorld();
  world.write({
    ...chatFlow,
    'n.jsonl': numbers(1),
    'odd.yaml': String.raw`mine: {type: open_ai, api_key: k-1234567890, max_response_bytes: "odd\0\ud800"}`,
  });
  await detachOnEngine(submitted(world, 'chat'), world.database, world.host);
  await using poor = startWorker(world, { name: 'poor', connectionsFile: join(world.folder, 'odd.yaml') });
  await poor.said('waits for another worker');
  await expect
    .poll(async () => (await listWorkers(world.database))[0]?.lacks['r'], { timeout: 60_000 })
    .toContain('is "odd\0\ud800"');
});

test('a run of another version of flow waits for a worker of that version', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  await detachOnEngine(submitted(world, 'double'), world.database, world.host);
  await world.database.query("UPDATE unroll.run_work SET version = '9.9.9'");
  await using other = startWorker(world, { name: 'other' });
  const reason = 'it is Unroll 0.1.0, and the run was begun with 9.9.9';
  await other.said(`run r waits for another worker: ${reason}`);
  await expect
    .poll(async () => (await listWorkers(world.database))[0]?.lacks, { timeout: 60_000 })
    .toEqual({ r: reason });
  const rows = await world.database.query('SELECT 1 FROM unroll.row_end');
  expect([rows.length, other.lines.length]).toEqual([0, 1]);
});

test('requirements that cannot be built here: the run waits, and says why', { timeout: 120_000 }, async () => {
  await using world = await engineWorld();
  world.write({
    ...doubleFlow,
    'double/requirements.txt': './no-such-wheel-1.0-py3-none-any.whl\n',
    'n.jsonl': numbers(2),
  });
  await detachOnEngine(submitted(world, 'double'), world.database, world.host);
  await using worker = startWorker(world);
  await worker.said('run r waits for another worker: the requirements of the flow cannot be built:');
});

test('a row that ends every worker that runs it is given up; the others of its chunk run', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const run = await detachOnEngine(submitted(world, 'double'), world.database, world.host);
  // As if it had ended twenty of them.
  await world.database.query("UPDATE unroll_jobs.job SET retry_count = 20 WHERE data->>'chunk' = '0'");
  await using _worker = startWorker(world);
  await expect
    .poll(async () => await world.database.query('SELECT state FROM unroll.run_work'), { timeout: 30_000 })
    .toEqual([{ state: 'ended' }]);
  const { openRunReader } = await import('../record/postgres-run-reader.ts');
  await using reader = await openRunReader(world.database, run);
  expect(await reader.row(0)).toMatchObject({ status: 'Failed', inputs: { n: 0 }, error: { code: 'WorkerLost' } });
  expect(await reader.row(1)).toMatchObject({ status: 'Completed', outputs: { o: 3 } });
});

test('rows that PostgreSQL does not take are no fault of theirs: the run tells why, and stops', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const run = await detachOnEngine(submitted(world, 'double'), world.database, world.host);
  await world.database.query(`CREATE FUNCTION unroll.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = 'check_violation'; END $$`);
  await world.database.query('CREATE TRIGGER refuse BEFORE INSERT ON unroll.node_end EXECUTE FUNCTION unroll.refuse()');
  // As if it had been tried twice.
  await world.database.query('UPDATE unroll_jobs.job SET retry_count = 2');
  await using _worker = startWorker(world, { name: 'w1' });
  await expect
    .poll(async () => await world.database.query('SELECT state FROM unroll.run_work'), { timeout: 60_000 })
    .toEqual([{ state: 'stopped' }]);
  const notes = await world.database.query<{ message: string }>('SELECT message FROM unroll.work_note');
  const why =
    /^worker w1 could not run some of its rows: the tables of .* are not as flow made them: not this one: the run is stopped$/;
  expect(notes.map(({ message }) => message)).toContainEqual(expect.stringMatching(why));
  expect(await world.database.query('SELECT 1 FROM unroll.row_end')).toEqual([]);
  await world.database.query('DROP TRIGGER refuse ON unroll.node_end');
  const again = { mode: 'resume', pace: {} } as const;
  const { result } = await resumeOnEngine(run, again, world.database, world.host, never);
  expect(result).toMatchObject({ rows: 2, completed: 2, stopped: false });
});

test('of jobs that have come back a worker takes no more than it has slots for, and one that waits', async () => {
  await using world = await engineWorld();
  await using gate = await startGate();
  const files = Object.entries(gatedFlow).map(([path, text]) => [path, text.replace('${process.env.GATE}', gate.url)]);
  world.write({ ...Object.fromEntries(files), 'n.jsonl': numbers(12) });
  await detachOnEngine(submitted(world, 'gated'), world.database, world.host);
  // As if another worker had lost the first six rows, of which each is a job.
  await world.database.query(`UPDATE unroll_jobs.job SET priority = 1, data = data || '{"lost": 1}'
    WHERE (data->>'chunk')::int < 6`);
  await world.database.query('UPDATE unroll.run_work SET returned = 1');
  await using _one = startWorker(world, { name: 'one' });
  await gate.whenAsked(4);
  const inHand = async () =>
    (await world.database.query("SELECT 1 FROM unroll_jobs.job WHERE state = 'active'")).length;
  await expect.poll(inHand, { timeout: 60_000 }).toBe(5);
  await using _other = startWorker(world, { name: 'other' });
  await using _open = { [Symbol.asyncDispose]: async () => gate.open() };
  await gate.whenAsked(8);
  // Four at the first worker, where a fifth one waits, and the sixth at the other one.
  expect(gate.asked.filter((row) => row < 6)).toHaveLength(5);
});

test('a run that is removed under its worker is told as that, and the worker goes on with others', async () => {
  await using world = await engineWorld();
  await using gate = await startGate();
  const files = Object.entries(gatedFlow).map(([path, text]) => [path, text.replace('${process.env.GATE}', gate.url)]);
  world.write({ ...Object.fromEntries(files), ...doubleFlow, 'n.jsonl': numbers(2) });
  await detachOnEngine(submitted(world, 'gated', { name: 'gone' }), world.database, world.host);
  await using worker = startWorker(world);
  await using _open = { [Symbol.asyncDispose]: async () => gate.open() };
  await gate.whenAsked(2);
  await world.database.query('DELETE FROM unroll.run');
  gate.open();
  await worker.said('of run gone is left');
  await detachOnEngine(submitted(world, 'double'), world.database, world.host);
  const state = () => world.database.query('SELECT state FROM unroll.run_work');
  await expect.poll(state, { timeout: 60_000 }).toEqual([{ state: 'ended' }]);
  const ofGone = worker.lines.filter((line) => line.includes('gone') && !line.includes('works on'));
  expect(new Set(ofGone)).toEqual(new Set(['a job of run gone is left: the run was removed meanwhile']));
  expect(worker.lines.join('\n')).not.toContain('constraint');
});

test('a budget of time is that of the run as a whole: what is left can go on', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(40) });
  await using _worker = startWorker(world);
  const spent = submitted(world, 'double', { budget: { seconds: 0.001 } });
  const outcome = await runOnEngine(spent, world.database, world.host, never);
  expect(outcome).toMatchObject({ status: 'Canceled', result: { stopped: true } });
  expect(outcome.budget).toMatch(/ of 0\.001 s$/);
});
