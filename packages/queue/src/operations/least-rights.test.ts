import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { runOnEngine } from '../coordinator/run-on-engine.ts';
import { openDatabase } from '../database/open-database.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { engineWorld } from '../testing/engine-world.ts';
import { freshDatabase } from '../testing/fresh-database.ts';
import { startWorker } from '../testing/local-worker.ts';
import { openEngine } from '../work/index.ts';
import { engineStatus } from './engine-status.ts';
import { initEngine } from './init-engine.ts';

const script = join(import.meta.dirname, '../../../../deploy/postgres/role.sql');

test('the role that deploy/postgres/role.sql makes sets up an engine and runs flows on it, and may do nothing else', {
  timeout: 120_000,
}, async () => {
  await using fresh = await freshDatabase();
  {
    await using owner = await openDatabase(fresh.url, { connections: 1 });
    await owner.query(readFileSync(script, 'utf8'));
    // As it is from PostgreSQL 15 on; in 14 everybody may make tables there.
    await owner.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await owner.query('CREATE TABLE public.others (secret text)');
  }
  const address = new URL(fresh.url);
  [address.username, address.password] = ['unroll', 'change-me'];
  await initEngine(address.href, {});
  await using database = await openEngine(address.href, {});
  for (const refused of ['SELECT * FROM public.others', 'CREATE TABLE public.mine (n int)', 'CREATE ROLE another']) {
    await expect(database.query(refused)).rejects.toThrow(/permission denied/);
  }
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(3) });
  await using _worker = startWorker({ folder: world.folder, url: address.href });
  const bulk = { ...defaultBulkSettings(world.host), flow: 'double', data: 'n.jsonl', name: 'r' };
  const { result } = await runOnEngine({ bulk, durableNodes: true }, database, world.host, AbortSignal.any([]));
  expect(result).toMatchObject({ rows: 3, completed: 3, failed: 0 });
  expect(await engineStatus(address.href, {})).toMatchObject({ missingRights: [] });
});
