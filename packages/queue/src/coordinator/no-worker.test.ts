import { defaultBulkSettings, madeWith } from '@unroll/project';
import { expect, test } from 'vitest';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { engineWorld } from '../testing/engine-world.ts';
import { detachOnEngine } from './run-on-engine.ts';

test('who leaves a run to workers hears where none is there, is heard of any more, or is of its version', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const begin = async (name: string) => {
    const bulk = { ...defaultBulkSettings(world.host), flow: 'double', data: 'n.jsonl', name };
    await detachOnEngine({ bulk, durableNodes: false }, world.database, world.host);
  };
  await begin('without');
  await world.database.query(
    `INSERT INTO unroll.worker (id, name, host, process, version, concurrency, seen_at)
     VALUES (gen_random_uuid(), 'first', 'h', 1, '1', 1, clock_timestamp() - interval '90 minutes'),
       (gen_random_uuid(), 'w1', 'h', 1, '1', 1, clock_timestamp() - interval '1 minute')`,
  );
  await begin('silent');
  await world.database.query("UPDATE unroll.worker SET seen_at = clock_timestamp(), version = '0.0.9'");
  await begin('other-version');
  expect(world.warnings()).toEqual([
    'no worker is there: flow worker --engine with the same address starts one',
    'no worker is heard of any more; the last one, w1 on h, has ended without a word or cannot write to PostgreSQL, which it says itself: flow worker --engine with the same address starts another',
    `no worker of Unroll ${madeWith().version} is there, only of 0.0.9: a run waits for workers of the version it was begun with`,
  ]);
});
