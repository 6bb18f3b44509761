import { expect, test } from 'vitest';
import { engineProcesses } from '../../testing/engine-processes.ts';

test.for<readonly [what: string, table: string, told: string]>([
  [
    'rows that ended',
    'row_end',
    'warning: run r came to its end, and 1 of its rows is no longer in the database, where somebody removed them\n',
  ],
  [
    'what is to be done',
    'run_work',
    'warning: nobody works on run r any more: somebody removed its work from the database\n',
  ],
])('%s are removed in the database under a run: told, and not taken for its end', async ([, table, told]) => {
  await using there = await engineProcesses(3);
  await there.worker('w', '--concurrency', '1');
  const followed = there.run('run', 'gated', '--data', 'n.jsonl', '--name', 'r');
  await there.gate.whenAsked(1);
  there.gate.letThrough(1);
  await there.gate.whenAsked(2);
  const { database } = there.engine;
  let removed: readonly unknown[] = [];
  while (removed.length === 0) removed = await database.query(`DELETE FROM ${database.schema}.${table} RETURNING *`);
  there.gate.letThrough(2);
  const { code, stderr } = await followed;
  expect([code, stderr]).toEqual([130, expect.stringContaining(told)]);
});
