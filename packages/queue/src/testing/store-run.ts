import { eachOf, type RunReader } from '@unroll/engine';
import type { Database } from '../database/database.ts';
import { openRunLog } from '../record/postgres-run-log.ts';
import { createRun } from '../record/stored-run.ts';

/** Records a run in a database as it was recorded elsewhere. */
export async function storeRun(run: RunReader, database: Database): Promise<void> {
  await createRun(database, run.info);
  await using log = await openRunLog(database, run.info.id);
  for await (const { row, nodes } of eachOf(run.records())) await log.append(nodes, row);
  await log.appendMetrics(await run.metrics());
}
