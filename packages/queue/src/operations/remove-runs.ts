import { ProjectFailure } from '@unroll/project';
import { dropBundles } from '../bundle/index.ts';
import type { Database } from '../database/database.ts';
import { openJobs } from '../jobs/index.ts';

/** A run that is over, and what it takes. */
export interface OverRun {
  readonly id: string;
  readonly number: number;
  /** Since it ended or was stopped. */
  readonly ageMs: number;
  /** Of its records. */
  readonly bytes: number;
}

/** Runs that have been over for so long, the oldest first. */
export async function runsOverFor(ageMs: number, database: Database): Promise<readonly OverRun[]> {
  const { schema } = database;
  return await database.query<OverRun>(
    `SELECT id, number, "ageMs", (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
         WHERE c.relnamespace = to_regnamespace($2) AND c.relkind = 'r'
           AND c.relname IN ('segment_' || number, 'node_end_' || number, 'row_end_' || number)) AS bytes
     FROM (SELECT r.id, r.number,
         extract(epoch FROM clock_timestamp() - coalesce(w.ended_at, r.created_at))::double precision * 1000 AS "ageMs"
       FROM ${schema}.run r LEFT JOIN ${schema}.run_work w ON w.run = r.number
       WHERE w.state IS NULL OR w.state IN ('ended', 'stopped')) over
     WHERE "ageMs" >= $1 ORDER BY "ageMs" DESC`,
    [ageMs, schema],
  );
}

/**
 * Removes runs with all that belongs to them. Whoever reads or writes other runs goes on meanwhile; what a process leaves that is
 * killed on its way, the next one removes.
 *
 * @throws ProjectFailure when one of them is under way
 */
export async function removeStoredRuns(ids: readonly string[], database: Database): Promise<void> {
  const { schema } = database;
  await using jobs = await openJobs(database, () => undefined);
  for (const id of ids) {
    const removed = await database.query(
      `DELETE FROM ${schema}.run r WHERE r.id = $1 AND NOT EXISTS
         (SELECT 1 FROM ${schema}.run_work w WHERE w.run = r.number AND w.state IN ('running', 'stopping')) RETURNING 1`,
      [id],
    );
    if (removed.length === 0) {
      const help = `flow stop ${id} stops it.`;
      throw new ProjectFailure(`run ${id} is under way at ${database.shown}`, { code: 'RunInUse', help });
    }
    await jobs.closeQueue(id);
  }
  await dropOrphans(database);
  await dropBundles(database);
}

/** Partitions of runs that are not there any more. */
async function dropOrphans(database: Database): Promise<void> {
  const { schema } = database;
  const orphans = await database.query<{ name: string; parent: string; is_attached: boolean; is_pending: boolean }>(
    `SELECT c.relname AS name, substring(c.relname FROM '^(.*)_[0-9]+$') AS parent, i.inhrelid IS NOT NULL AS is_attached,
       coalesce(i.inhdetachpending, false) AS is_pending
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r' AND c.relname ~ '^(segment|node_end|row_end)_[0-9]+$'
       AND NOT EXISTS (SELECT 1 FROM ${schema}.run r WHERE r.number = substring(c.relname FROM '[0-9]+$')::bigint)`,
    [schema],
  );
  for (const { name, parent, is_attached: isAttached, is_pending: isPending } of orphans) {
    // Not in a transaction, so that nobody waits who reads or writes another partition.
    const how = isPending ? 'FINALIZE' : 'CONCURRENTLY';
    if (isAttached) await database.query(`ALTER TABLE ${schema}.${parent} DETACH PARTITION ${schema}.${name} ${how}`);
    await database.query(`DROP TABLE IF EXISTS ${schema}.${name}`);
  }
}
