import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { detachOnEngine } from '../coordinator/run-on-engine.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';

test('a server without room is told as such: to who begins a run, and once by a worker that takes none', async () => {
  await using world = await engineWorld();
  const { database } = world;
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const bulk = { ...defaultBulkSettings(world.host), flow: 'double', data: 'n.jsonl', name: 'r' };
  const begun = async () => await detachOnEngine({ bulk, durableNodes: false }, database, world.host);
  await database.query(`CREATE FUNCTION unroll.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
  const refuse = (table: string) =>
    database.query(
      `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION unroll.refuse()`,
    );
  await refuse('unroll.run');
  const failure = await begun().catch((error: unknown) => database.failureOf(error));
  expect(failure).toMatchObject({
    code: 'EngineUnreachable',
    message: expect.stringMatching(
      /^PostgreSQL at .* cannot do what it is asked: could not extend file: No space left/,
    ),
  });
  await database.query('DROP TRIGGER no_room ON unroll.run');
  await begun();
  await refuse('unroll_jobs.job');
  await using worker = startWorker(world);
  const line =
    'PostgreSQL cannot do what it is asked, and is asked again: could not extend file: No space left on device';
  await worker.said(line);
  await database.query('DROP TRIGGER no_room ON unroll_jobs.job');
  await expect
    .poll(async () => await database.query('SELECT state FROM unroll.run_work'), { timeout: 60_000 })
    .toEqual([{ state: 'ended' }]);
  expect(worker.lines.filter((one) => one.startsWith('PostgreSQL'))).toEqual([line]);
});
