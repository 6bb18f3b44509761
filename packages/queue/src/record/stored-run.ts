import type { JsonValue, RunCatalog, RunInfo } from '@unroll/engine';
import { joinFingerprintInputs, stringifyJson } from '@unroll/engine/record-format';
import { ProjectFailure } from '@unroll/project/project-failure';
import * as z from 'zod';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { givenJson, storedJson, storedText } from '../database/stored-text.ts';
import { damagedRun, readStoredInfo } from './stored-info.ts';

/** A run as it stands in the database. */
export interface StoredRun {
  /** Its key in every table. */
  readonly number: number;
  readonly info: RunInfo;
}

/** Of records as this release writes them; raised when an earlier one would misread them. */
const recordFormat = 1;

const partitioned = ['segment', 'node_end', 'row_end'] as const;

/**
 * Makes the record of a new run, empty.
 *
 * @param also carried out in the same transaction, before there is room for records
 * @throws ProjectFailure when there is a run of that id
 */
export async function createRun(
  database: Database,
  info: RunInfo,
  also: (transaction: Transaction, run: StoredRun) => Promise<void> = async () => {},
): Promise<StoredRun> {
  const { schema } = database;
  return await database.transaction(async (transaction) => {
    const [made] = await transaction.query<{ number: number }>(
      `INSERT INTO ${schema}.run (id, info, record_format) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING number`,
      [info.id, stringifyJson(info as unknown as JsonValue), recordFormat],
    );
    if (made === undefined) {
      const help = 'flow runs --engine lists them; another --name keeps it.';
      throw new ProjectFailure(`there is a run ${info.id} already at ${database.shown}`, { help, code: 'RunExists' });
    }
    const { number } = made;
    await addNodeNames(transaction, number, info.nodes);
    await also(transaction, { number, info });
    // Last, since others who make a run wait from here on.
    for (const table of partitioned) {
      // Attached rather than made in its place: that waits for nobody who reads or writes other runs.
      await transaction.query(`CREATE TABLE ${schema}.${table}_${number} (LIKE ${schema}.${table} INCLUDING ALL)`);
      await transaction.query(
        `ALTER TABLE ${schema}.${table} ATTACH PARTITION ${schema}.${table}_${number} FOR VALUES IN (${number})`,
      );
    }
    return { number, info };
  });
}

/**
 * Finds a run by its id.
 *
 * @throws ProjectFailure when there is none, it is damaged, or its records are of a newer release
 */
export async function findStoredRun(database: Database, id: string): Promise<StoredRun> {
  const { schema, shown } = database;
  const [found] = await database.query<{ number: number; info: string; record_format: number }>(
    `SELECT number, info, record_format FROM ${schema}.run WHERE id = $1`,
    [storedText(id)],
  );
  if (found === undefined) {
    const help = 'flow runs --engine lists them.';
    throw new ProjectFailure(`there is no run ${id} at ${shown}`, { help, code: 'RunNotFound' });
  }
  if (found.record_format > recordFormat) {
    throw new ProjectFailure(
      `run ${id} at ${shown} has records of format ${found.record_format}, this release reads format ${recordFormat}`,
      { help: 'Update flow here.', code: 'EngineNewer' },
    );
  }
  const info = readStoredInfo(id, found.info);
  const nodeReads = await readNodeReads(database, schema, found.number);
  if (nodeReads === undefined) throw damagedRun(id, 'what its code read');
  return { number: found.number, info: Object.keys(nodeReads).length === 0 ? info : { ...info, nodeReads } };
}

/** The ids of all runs, newest first, as names are looked up in. */
export function storedRuns(database: Database): Pick<RunCatalog, 'shown' | 'ids'> {
  const sql = `SELECT id FROM ${database.schema}.run ORDER BY number DESC`;
  return {
    shown: database.shown,
    ids: async () => (await database.query<{ readonly id: string }>(sql)).map(({ id }) => id),
  };
}

/** Names and kinds of nodes by their ids, `name\nkind`. */
export async function readNodeNames(
  through: Queryable,
  schema: string,
  run: number,
): Promise<ReadonlyMap<number, NodeName>> {
  const rows = await through.query<NodeName & { readonly id: number }>(
    `SELECT id, name, kind FROM ${schema}.node_name WHERE run = $1 ORDER BY id`,
    [run],
  );
  return new Map(rows.map(({ id, name, kind }) => [id, { name, kind }]));
}

export interface NodeName {
  readonly name: string;
  readonly kind: string;
}

/** Adds those that are not there yet, inside a transaction; several may do so at once. */
export async function addNodeNames(transaction: Transaction, run: number, nodes: readonly NodeName[]): Promise<void> {
  const { schema } = transaction;
  await transaction.query(`SELECT 1 FROM ${schema}.run WHERE number = $1 FOR NO KEY UPDATE`, [run]);
  await transaction.query(
    `INSERT INTO ${schema}.node_name (run, id, name, kind)
     SELECT $1, coalesce((SELECT max(id) FROM ${schema}.node_name WHERE run = $1), 0) + row_number() OVER (ORDER BY place), name, kind
     FROM (SELECT name, kind, min(place) AS place FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (name, kind, place)
       WHERE NOT EXISTS (SELECT 1 FROM ${schema}.node_name n WHERE n.run = $1 AND n.name = given.name AND n.kind = given.kind)
       GROUP BY name, kind) AS missing`,
    [run, nodes.map(({ name }) => name), nodes.map(({ kind }) => kind)],
  );
}

type NodeReads = NonNullable<RunInfo['nodeReads']>;

/** @returns undefined where it is not what was written */
async function readNodeReads(through: Queryable, schema: string, run: number): Promise<NodeReads | undefined> {
  const sql = `SELECT node, parts FROM ${schema}.node_reads WHERE run = $1 ORDER BY node`;
  const rows = await through.query<{ node: string; parts: unknown }>(sql, [run]);
  const reads = rows.map(({ node, parts }) => [node, readParts(parts)] as const);
  return reads.every(([, parts]) => parts !== undefined) ? (Object.fromEntries(reads) as NodeReads) : undefined;
}

const partsSchema = z.record(z.string(), z.string());

function readParts(stored: unknown): NodeReads[string] | undefined {
  return partsSchema.safeParse(givenJson(stored)).data as NodeReads[string] | undefined;
}

/** Joins what the code of nodes read to what is known of it, inside the transaction that makes the records durable. */
export async function addNodeReads(transaction: Transaction, run: number, reads: NodeReads): Promise<void> {
  const { schema } = transaction;
  for (const [node, parts] of Object.entries(reads)) {
    const [known] = await transaction.query<{ parts: unknown }>(
      `SELECT parts FROM ${schema}.node_reads WHERE run = $1 AND node = $2 FOR UPDATE`,
      [run, node],
    );
    await transaction.query(
      `INSERT INTO ${schema}.node_reads (run, node, parts) VALUES ($1, $2, $3)
       ON CONFLICT (run, node) DO UPDATE SET parts = excluded.parts`,
      [run, node, storedJson(joinFingerprintInputs(readParts(known?.parts) ?? {}, parts))],
    );
  }
}
