import { randomUUID } from 'node:crypto';
import type { JsonValue, RunInfo, RunReader } from '@unroll/engine';
import { stringifyJson } from '@unroll/engine/record-format';
import { ProjectFailure } from '@unroll/project/project-failure';
import type { Database } from '../database/database.ts';
import { type PostgresRunLog, runLogOf } from './postgres-run-log.ts';
import { createRun, findStoredRun } from './stored-run.ts';

/** Rows whose records are on their way together. */
const rowsAtOnce = 1024;

/**
 * Copies a record into the database, where it is not there already. It is there whole or not at all: until all of it is, it goes by
 * another name.
 *
 * @throws ProjectFailure when another run of its name is there
 */
export async function pushRun(database: Database, reader: RunReader): Promise<void> {
  const { schema } = database;
  if (await isThere(reader.info, database)) return;
  const { number, info } = await createRun(database, { ...reader.info, id: `${reader.info.id}.${randomUUID()}.part` });
  try {
    {
      await using log = runLogOf(database, { number, info });
      await copyRecords(reader, log);
    }
    const sql = `UPDATE ${schema}.run SET id = $2, info = $3 WHERE number = $1`;
    await database.query(sql, [number, reader.info.id, stringifyJson(reader.info as unknown as JsonValue)]);
  } catch (error) {
    // What is left of it, `flow engine gc` drops.
    await database.query(`DELETE FROM ${schema}.run WHERE number = $1`, [number]);
    if (await isThere(reader.info, database)) return;
    throw error;
  }
}

/** Whether the same run is there: pulled from there, or copied before. */
async function isThere({ id, startedAt, flowDigest }: RunInfo, database: Database): Promise<boolean> {
  const found = await database.query(`SELECT 1 FROM ${database.schema}.run WHERE id = $1`, [id]);
  if (found.length === 0) return false;
  const { info } = await findStoredRun(database, id);
  if (info.startedAt === startedAt && info.flowDigest === flowDigest) return true;
  throw new ProjectFailure(`there is another run ${id} at ${database.shown} than the one here`, {
    code: 'RunExists',
    help: 'Rows on workers take outputs from runs of the engine. flow runs rm RUN --engine removes the one there.',
  });
}

/** Rows that ended, then what is recorded of those that did not. */
async function copyRecords(reader: RunReader, log: PostgresRunLog): Promise<void> {
  const copied = new Set<string>();
  let onTheWay: Promise<void>[] = [];
  const append = async (...records: Parameters<PostgresRunLog['append']>): Promise<void> => {
    onTheWay.push(log.append(...records));
    if (onTheWay.length < rowsAtOnce) return;
    await Promise.all(onTheWay);
    onTheWay = [];
  };
  for await (const batch of reader.records()) {
    for (const { row, nodes } of batch) {
      copied.add(`${row.line}:${row.repeat ?? 0}`);
      await append(nodes, row);
    }
  }
  for await (const batch of reader.digests()) {
    for (const { line, repeat } of batch) {
      const key = `${line}:${repeat}`;
      if (copied.has(key)) continue;
      copied.add(key);
      await append(await reader.nodes(line, repeat));
    }
  }
  await Promise.all(onTheWay);
  await log.appendMetrics(await reader.metrics());
  await log.ensureKept();
}
