import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSqliteRunLog, eachOf, makeFolder } from '@unroll/engine';
import type { Database } from '../database/database.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';

/** Writes the record of a run as the file that every other command reads. */
export async function pullRecord(database: Database, id: string, file: string): Promise<void> {
  await using reader = await openRunReader(database, id);
  makeFolder(dirname(file));
  rmSync(file, { force: true });
  await using log = createSqliteRunLog(file, reader.info);
  for await (const { row, nodes } of eachOf(reader.records())) await log.append(nodes, row);
  const metrics = await reader.metrics();
  if (Object.keys(metrics).length > 0) await log.appendMetrics(metrics);
  await log.ensureKept();
}
