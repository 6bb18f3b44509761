import type { NodeRun, RowRun } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { openRunLog } from '../record/postgres-run-log.ts';
import { createRun } from '../record/stored-run.ts';
import { freshEngine } from '../testing/index.ts';
import { beginning, endedRows } from './ended-rows.ts';

const [rows, nodes] = [4000, ['a', 'b', 'c']] as const;

function ended(line: number): readonly [readonly NodeRun[], RowRun] {
  const shared = { line, status: 'Completed', startedAt: 1, durationMs: 1 } as const;
  return [
    nodes.map((node): NodeRun => ({ ...shared, node, kind: 'python', inputs: {}, output: line })),
    { ...shared, inputs: {}, outputs: {} },
  ];
}

test('who follows a run reads the nodes of the rows that are new, and not all there are for each page', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  const info = runInfo();
  const { number } = await createRun(database, { ...info, nodes: nodes.map((name) => ({ name, kind: 'python' })) });
  {
    await using log = await openRunLog(database, 'r');
    await Promise.all(Array.from({ length: rows }, (_, line) => log.append(...ended(line))));
  }
  await database.transaction(async (transaction) => {
    let told = 0;
    for await (const page of endedRows({ id: 'r', number }, beginning, undefined, transaction)) {
      told += page.filter((row) => row.nodes.length === nodes.length).length;
    }
    expect(told).toBe(rows);
    const sql = 'SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = $1';
    expect(await transaction.query(sql, [`node_end_${number}`])).toEqual([{ read: rows * nodes.length }]);
  });
});
