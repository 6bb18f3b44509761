import { expect, test } from 'vitest';
import { engineProcesses, gatedRows } from '../../testing/engine-processes.ts';

test('a run on workers: listed, pulled while it is under way and at its end, removed when it is over', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(12);
  const engine = ['--engine', there.engine.url];
  await there.worker('one', '--concurrency', '2');
  expect((await there.run('run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--detach')).code).toBe(0);
  await there.gate.whenAsked(2);
  there.gate.letThrough(4);
  await there.gate.whenAsked(6);
  const [running] = JSON.parse((await there.run('runs', ...engine, '--json')).stdout);
  expect(running).toMatchObject({ id: 'r', flow: 'gated', status: 'Running', total: 12, about: 'n.jsonl' });
  const busy = await there.run('runs', 'rm', 'r', ...engine);
  expect([busy.code, busy.stderr]).toEqual([2, expect.stringContaining('run r is under way at')]);
  const early = await there.run('pull', 'r');
  expect([early.code, early.stdout]).toEqual([0, 'pulled r: flow show r\n']);
  const before = await there.rowsOf('r');
  expect(before).toEqual(gatedRows(12).filter((row) => before.includes(row)));
  there.gate.open();
  expect((await there.run('attach', 'r', '--quiet')).code).toBe(0);
  expect(JSON.parse((await there.run('pull', 'r', '--json')).stdout)).toMatchObject({ run_id: 'r' });
  expect(await there.rowsOf('r')).toEqual(gatedRows(12));
  const shown = await there.run('show', 'r', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'Completed', metrics: { sum: 144 } });
  const listed = (await there.run('runs', ...engine)).stdout;
  expect(listed).toMatch(/^r +completed +12 +gated/m);
  const [young, told] = [
    await there.run('engine', 'gc', '--older-than', '1d'),
    await there.run('engine', 'gc', '--older-than', '0m'),
  ];
  expect(young.stdout).toBe('nothing to remove\n');
  expect(told.stdout).toMatch(/1 runs, .* would be removed; --yes removes them/);
  const removed = await there.run('engine', 'gc', '--older-than', '0m', '--yes', '--json');
  expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true, runs: [{ id: 'r' }] });
  expect((await there.run('runs', ...engine)).stdout).toContain('no runs at postgres://');
  const left = await there.engine.database.query(
    "SELECT relname FROM pg_class WHERE relname ~ '^(segment|node_end|row_end)_[0-9]+$'",
  );
  expect(left).toEqual([]);
  const gone = await there.run('pull', 'r');
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('there is no run r at postgres://')]);
});

test('status tells which worker cannot run what', { timeout: 120_000 }, async () => {
  await using there = await engineProcesses(1);
  const { database } = there.engine;
  expect((await there.run('run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--detach')).code).toBe(0);
  await database.query("UPDATE unroll.run_work SET version = '9.9.9'");
  await there.worker('stranger');
  await expect
    .poll(async () => (await there.run('engine', 'status')).stdout, { timeout: 60_000 })
    .toContain('stranger cannot run r: it is Unroll 0.1.0, and the run was begun with 9.9.9\n');
});

test('a run of the same name here is not written over', async () => {
  await using there = await engineProcesses(1);
  there.gate.open();
  expect((await there.run('run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--detach')).code).toBe(0);
  expect((await there.flow('run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--engine', '').ended).code).toBe(0);
  const pulled = await there.run('pull', 'r');
  expect([pulled.code, pulled.stderr]).toEqual([2, expect.stringContaining('there is another run r here')]);
  expect(await there.run('pull', 'r', '--runs-dir', 'elsewhere')).toMatchObject({
    code: 0,
    stdout: 'pulled r: flow show r --runs-dir elsewhere\n',
  });
});

test('init, status: what an engine is, and what its user lacks', async () => {
  await using there = await engineProcesses(1);
  const { url, database } = there.engine;
  const inSchema = (schema: string): string => `${url}?schema=${schema}`;
  const status = await there.run('engine', 'status', '--json');
  expect([status.code, JSON.parse(status.stdout)]).toMatchObject([
    0,
    { schema: 'unroll', is_ready: true, missing_rights: [], runs: {}, workers: [] },
  ]);
  const standby = await there.run('engine', 'status', `${url}?options=-c%20default_transaction_read_only%3Don`);
  expect([standby.code, standby.stdout]).toEqual([1, expect.stringContaining('takes no writes')]);
  const none = await there.run('engine', 'status', inSchema('team_b'));
  expect([none.code, none.stdout]).toEqual([1, expect.stringContaining('no engine yet: flow engine init')]);
  const made = await there.run('engine', 'init', inSchema('team_b'));
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^the schema team_b at postgres:.* is ready: runs and records/),
  ]);
  expect((await there.run('engine', 'init', inSchema('team_b'))).stdout).toContain('was up to date');
  await database.query('UPDATE team_b_jobs.version SET version = 1');
  const unrenewed = await there.run('engine', 'status', inSchema('team_b'));
  expect([unrenewed.code, unrenewed.stdout]).toEqual([1, expect.stringContaining('its queue cannot be used, pg-boss')]);
  await database.query('DROP SCHEMA team_b_jobs CASCADE');
  const gone = await there.run('engine', 'status', inSchema('team_b'));
  expect([gone.code, gone.stdout]).toEqual([1, expect.stringContaining('pg-boss is not installed: flow engine init')]);
  const renewed = await there.run('engine', 'init', inSchema('team_b'));
  expect([renewed.code, renewed.stdout]).toEqual([0, expect.stringMatching(/ is ready: queue\n$/)]);
  expect((await there.run('engine', 'status', inSchema('team_b'))).code).toBe(0);
  const name = new URL(url).pathname.slice(1);
  await database.query(`CREATE ROLE "${name}_guest" LOGIN PASSWORD 'just looking'`);
  const guest = new URL(url);
  [guest.username, guest.password] = [`${name}_guest`, 'just looking'];
  const refused = await there.run('pull', 'r', '--engine', guest.href);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`${name}_guest may not use the schema unroll`),
  ]);
  expect(refused.stderr).toContain(`GRANT postgres TO ${name}_guest;`);
  await database.query(
    `GRANT USAGE ON SCHEMA unroll TO "${name}_guest"; GRANT SELECT ON ALL TABLES IN SCHEMA unroll TO "${name}_guest"`,
  );
  const reading = await there.run('engine', 'status', guest.href);
  expect([reading.code, reading.stdout]).toEqual([1, expect.stringContaining(`GRANT postgres TO ${name}_guest;`)]);
  expect(`${refused.stderr}${reading.stdout}${reading.stderr}`).not.toContain('looking');
  await database.query(`DROP OWNED BY "${name}_guest"; DROP ROLE "${name}_guest"`);
});

test.each([
  ['postgres://nobody:secret-words@127.0.0.1:1/flows', 'there is no PostgreSQL at postgres://nobody@127.0.0.1:1/flows'],
  ['mysql://db/flows', 'an engine is an address of PostgreSQL'],
  ['postgres://db/flows?schema=A-b', 'a schema cannot be called "A-b"'],
])('%s is refused in words', async (address, message) => {
  await using there = await engineProcesses(1);
  const { code, stderr, stdout } = await there.run('pull', 'r', '--engine', address);
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
  expect(stderr + stdout).not.toContain('secret-words');
});
