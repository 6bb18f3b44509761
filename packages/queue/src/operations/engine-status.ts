import type { Database } from '../database/database.ts';
import { newestMigration, requireKnown, requireServer, schemaState } from '../database/migrate.ts';
import { type DatabaseSettings, openDatabase } from '../database/open-database.ts';
import { jobsRefusal } from '../jobs/index.ts';
import { type KnownWorker, listWorkers } from '../work/index.ts';

/** How an engine stands. */
export interface EngineStatus {
  readonly shown: string;
  readonly schema: string;
  readonly serverVersion: string;
  /** Of the last migration that was applied, and of the last that this release knows. */
  readonly migration: { readonly applied: number; readonly known: number };
  /** Statements that grant this role what it lacks to run flows; none where it lacks nothing. */
  readonly missingRights: readonly string[];
  /** Not so on a standby. */
  readonly takesWrites: boolean;
  /** Why its queue cannot be used; absent where it can, or where it is not asked since something else is missing. */
  readonly jobsRefusal?: string;
  /** By how they stand; none where the engine is not set up. */
  readonly runs: Readonly<Record<string, number>>;
  /** Of everything in its schema. */
  readonly bytes: number;
  readonly workers: readonly KnownWorker[];
}

/** @throws ProjectFailure when it is not reached, too old or of a newer release */
export async function engineStatus(address: string, settings: DatabaseSettings): Promise<EngineStatus> {
  await using database = await openDatabase(address, settings);
  try {
    const { serverVersion, migration } = await schemaState(database);
    requireServer(serverVersion);
    requireKnown(migration, database);
    const { shown, schema } = database;
    const isUsable = migration === newestMigration;
    const missing = migration === 0 ? [] : await missingRights(database);
    const refusal = isUsable && missing.length === 0 ? await jobsRefusal(database) : undefined;
    return {
      ...{ shown, schema, serverVersion, migration: { applied: migration, known: newestMigration } },
      missingRights: missing,
      takesWrites: await takesWrites(database),
      ...(refusal === undefined ? {} : { jobsRefusal: refusal }),
      runs: isUsable ? await countRuns(database) : {},
      bytes: await sizeOf(database),
      workers: isUsable ? await listWorkers(database) : [],
    };
  } catch (error) {
    throw database.failureOf(error);
  }
}

/** Runs have tables of their own, which only who owns the others may add: their owner's rights are needed. */
async function missingRights(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ statement: string }>(
    `SELECT DISTINCT format('GRANT %I TO %I;', pg_get_userbyid(c.relowner), current_user) AS statement
     FROM pg_class c WHERE c.relnamespace IN (to_regnamespace($1), to_regnamespace($2)) AND c.relkind IN ('r', 'p')
       AND NOT pg_has_role(current_user, c.relowner, 'USAGE')`,
    [database.schema, `${database.schema}_jobs`],
  );
  return rows.map(({ statement }) => statement);
}

async function takesWrites(database: Database): Promise<boolean> {
  const sql = "SELECT current_setting('transaction_read_only') = 'off' AS is_so";
  const [asked] = await database.query<{ is_so: boolean }>(sql);
  return asked?.is_so ?? false;
}

async function countRuns(database: Database): Promise<Readonly<Record<string, number>>> {
  const rows = await database.query<{ state: string; runs: number }>(
    `SELECT state, count(*) AS runs FROM ${database.schema}.run_work GROUP BY state ORDER BY state`,
  );
  return Object.fromEntries(rows.map(({ state, runs }) => [state, runs]));
}

async function sizeOf(database: Database): Promise<number> {
  const sql = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
    WHERE relnamespace IN (to_regnamespace($1), to_regnamespace($2)) AND relkind IN ('r', 'm')`;
  const [size] = await database.query<{ bytes: number }>(sql, [database.schema, `${database.schema}_jobs`]);
  return size?.bytes ?? 0;
}
