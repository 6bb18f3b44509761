import {
  type JsonValue,
  type NodeRun,
  type ReopenedRow,
  type RowRun,
  RunFileLostError,
  type RunLog,
  type RunReader,
} from '@unroll/engine';
import type { Database, Transaction } from '../database/database.ts';
import { PostgresRunReader } from './postgres-run-reader.ts';
import { RunWriter, type WriterSettings } from './run-writer.ts';
import { findStoredRun, type StoredRun } from './stored-run.ts';

/** A run's log in the database; several processes may write to one run. */
export interface PostgresRunLog extends RunLog {
  /** Makes durable what was appended so far, together with what `work` does: in the same transaction. */
  commitWith(work: (transaction: Transaction) => Promise<void>): Promise<void>;
}

/**
 * Opens a run to add to it.
 *
 * @throws ProjectFailure when there is no such run
 */
export async function openRunLog(
  database: Database,
  id: string,
  settings: WriterSettings = {},
): Promise<PostgresRunLog> {
  return runLogOf(database, await findStoredRun(database, id), settings);
}

export function runLogOf(database: Database, run: StoredRun, settings: WriterSettings = {}): PostgresRunLog {
  const writer = new RunWriter(database, run, settings);
  const reader = new PostgresRunReader(database, run);
  return {
    ...readerAfter(reader, () => writer.flush()),
    append(nodes: readonly NodeRun[], row?: RowRun) {
      const records = nodes.map((node) => ({ node }));
      return writer.append(row === undefined ? records : [...records, { row }]);
    },
    appendMetrics: (metrics: Readonly<Record<string, JsonValue>>) => writer.append([{ metrics }]),
    commitWith: (work) => writer.commitWith(work),
    async reopen(rows) {
      const reopened = [...rows];
      await writer.flush();
      const lost = await lostNodes(reader, reopened);
      await writer.alone((transaction) => takeBack(transaction, run, reopened, lost));
      writer.forgetAll();
    },
    async ensureKept() {
      await writer.flush();
      const sql = `SELECT 1 FROM ${database.schema}.run WHERE number = $1`;
      if ((await database.query(sql, [run.number])).length > 0) return;
      const what = 'it was removed while the run wrote it';
      throw new RunFileLostError(`the records of run ${run.info.id} at ${database.shown} are lost: ${what}`, what);
    },
    [Symbol.asyncDispose]: () => writer.flush(),
  };
}

/** What is read is what was appended: it is committed first. */
function readerAfter(reader: RunReader, before: () => Promise<void>): RunReader {
  const after = async <T>(read: () => Promise<T>): Promise<T> => {
    await before();
    return await read();
  };
  const allAfter = async function* <T>(read: () => AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[], void> {
    await before();
    yield* read();
  };
  return {
    info: reader.info,
    nodes: (line, repeat) => after(() => reader.nodes(line, repeat)),
    row: (line, repeat) => after(() => reader.row(line, repeat)),
    rows: () => allAfter(() => reader.rows()),
    records: () => allAfter(() => reader.records()),
    rowEnds: () => allAfter(() => reader.rowEnds()),
    readRows: (wanted) => allAfter(() => reader.readRows(wanted)),
    digests: () => allAfter(() => reader.digests()),
    rowCounts: () => after(() => reader.rowCounts()),
    unfinishedCount: () => after(() => reader.unfinishedCount()),
    nodeCounts: () => after(() => reader.nodeCounts()),
    tokens: () => after(() => reader.tokens()),
    nextLine: () => after(() => reader.nextLine()),
    metrics: () => after(() => reader.metrics()),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}

type Row = Pick<ReopenedRow, 'line' | 'repeat'>;

/** Completed nodes that do not stay: their outputs are not what they gave, or their row begins anew. */
async function lostNodes(
  reader: RunReader,
  rows: readonly ReopenedRow[],
): Promise<readonly (Row & { readonly node: string })[]> {
  const found: NodeRun[] = [];
  for (const { line, repeat = 0, isAnew = false } of rows) {
    found.push(...(await reader.nodes(line, repeat)).filter(({ inexact }) => isAnew || inexact !== undefined));
  }
  return found;
}

async function takeBack(
  transaction: Transaction,
  { number, info }: StoredRun,
  rows: readonly Row[],
  lost: readonly (Row & { readonly node: string })[],
): Promise<void> {
  const { schema } = transaction;
  const places = (of: readonly Row[]): readonly unknown[] => [
    of.map(({ line }) => line),
    of.map(({ repeat = 0 }) => repeat),
  ];
  const given = '(SELECT * FROM unnest($2::int[], $3::int[]))';
  await transaction.query(`DELETE FROM ${schema}.row_end WHERE run = $1 AND (line, repeat) IN ${given}`, [
    number,
    ...places(rows),
  ]);
  await transaction.query(
    `DELETE FROM ${schema}.node_end WHERE run = $1 AND (line, repeat) IN ${given} AND status <> 0`,
    [number, ...places(rows)],
  );
  await transaction.query(
    `DELETE FROM ${schema}.node_end e USING ${schema}.node_name n,
       unnest($2::int[], $3::int[], $4::text[]) AS given (line, repeat, node)
     WHERE e.run = $1 AND n.run = $1 AND n.id = e.node
       AND (e.line, e.repeat, n.name) = (given.line, given.repeat, given.node)`,
    [number, ...places(lost), lost.map(({ node }) => node)],
  );
  const overAll = info.nodes.flatMap(({ name, aggregation }) => (aggregation === true ? [name] : []));
  await transaction.query(
    `WITH removed AS (DELETE FROM ${schema}.node_end WHERE run = $1 AND node IN
       (SELECT id FROM ${schema}.node_name WHERE run = $1 AND name = ANY($2::text[])) RETURNING line, repeat)
     UPDATE ${schema}.row_end e SET digests = NULL FROM removed
     WHERE e.run = $1 AND (e.line, e.repeat) = (removed.line, removed.repeat)`,
    [number, overAll],
  );
  await transaction.query(`DELETE FROM ${schema}.metric WHERE run = $1`, [number]);
}
