import type { Database, Transaction } from '../database/database.ts';

/** Removes flows that no run needs, and files that no flow has. What somebody is just storing stays, for the next time. */
export async function dropBundles(database: Database): Promise<void> {
  const { schema } = database;
  await database.transaction((transaction) =>
    dropUnneeded('bundle', 'id', `SELECT w.bundle FROM ${schema}.run_work w`, transaction),
  );
  const digests = ['$.files[*].digest', '$.cassette.digest'].map(
    (path) => `SELECT digest #>> '{}' FROM ${schema}.bundle, jsonb_path_query(manifest, '${path}') digest`,
  );
  await database.transaction((transaction) =>
    dropUnneeded('bundle_file', 'digest', digests.join(' UNION ALL '), transaction),
  );
}

/**
 * First what seems to be needed by nobody is locked: who stores a run locks what it finds, which is passed over then. Who has
 * come before has told by now what it needs: so it is looked at once more, by another statement, which sees that.
 */
async function dropUnneeded(
  table: 'bundle' | 'bundle_file',
  key: 'id' | 'digest',
  needed: string,
  { schema, query }: Transaction,
): Promise<void> {
  const isUnneeded = `NOT EXISTS (SELECT 1 FROM (${needed}) needed (key) WHERE needed.key = unneeded.${key})`;
  const locked = await query<{ key: string }>(
    `SELECT ${key} AS key FROM ${schema}.${table} unneeded WHERE ${isUnneeded} FOR UPDATE SKIP LOCKED`,
  );
  const keys = locked.map((one) => one.key);
  await query(`DELETE FROM ${schema}.${table} unneeded WHERE ${key} = ANY($1) AND ${isUnneeded}`, [keys]);
}
