import { ProjectFailure } from '@unroll/project/project-failure';
import type { Database, Queryable } from './database.ts';
import { migrations } from './migrations/migrations.ts';

/** Of PostgreSQL 14 is `DETACH PARTITION … CONCURRENTLY`. */
const oldestServer = 14;

/** What of the schema is there. */
export interface SchemaState {
  /** `18.4` */
  readonly serverVersion: string;
  /** Number of the last migration; 0 where nothing is there. */
  readonly migration: number;
}

/** Number of the last migration that this release knows. */
export const newestMigration: number = migrations.length;

/**
 * Brings the schema up to date; two at once are safe, and where nothing is to do nothing is done.
 *
 * @returns names of the migrations that were applied now
 * @throws ProjectFailure when the server is too old, the schema is of a newer release, or rights are missing
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const { serverVersion } = await schemaState(database);
  requireServer(serverVersion);
  const { schema } = database;
  return await database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`migrations of ${schema}`]);
    const { migration } = await schemaState(database, transaction);
    requireKnown(migration, database);
    const missing = migrations.slice(migration);
    if (missing.length === 0) return [];
    await requireMayCreate(database, transaction);
    // Also where it is there, IF NOT EXISTS asks for the right to make one.
    const [there] = await transaction.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
    if (there === undefined) await transaction.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await transaction.query(`SET LOCAL search_path = ${schema}`);
    await transaction.query(`CREATE TABLE IF NOT EXISTS migration (
      number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    for (const [at, { name, sql }] of missing.entries()) {
      await transaction.query(sql);
      await transaction.query('INSERT INTO migration (number, name) VALUES ($1, $2)', [migration + at + 1, name]);
    }
    return missing.map(({ name }) => name);
  });
}

/**
 * @param through where it is asked, `database` where absent
 * @throws ProjectFailure when the database cannot hold every text, or the schema is there and may not be used
 */
export async function schemaState(database: Database, through: Queryable = database): Promise<SchemaState> {
  // The catalog is read as a table: what `to_regclass` says may be of before a lock that was waited for.
  const [asked] = await through.query<{ version: string; encoding: string; may_read: boolean | null }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding, (
       SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = 'migration') AS may_read`,
    [database.schema],
  );
  requireUnicode(asked?.encoding, database);
  const serverVersion = asked?.version.split(' ')[0] ?? '';
  if (asked?.may_read == null) return { serverVersion, migration: 0 };
  if (!asked.may_read) throw await mayNotUse(database, through);
  const sql = `SELECT coalesce(max(number), 0) AS migration FROM ${database.schema}.migration`;
  const [newest] = await through.query<{ migration: number }>(sql);
  return { serverVersion, migration: newest?.migration ?? 0 };
}

/** Runs have tables of their own, which only who owns the others may add. */
async function mayNotUse({ schema, shown }: Database, through: Queryable): Promise<ProjectFailure> {
  const [roles] = await through.query<{ role: string; grant: string }>(
    `SELECT current_user AS role, format('GRANT %I TO %I;', pg_get_userbyid(nspowner), current_user) AS grant
     FROM pg_namespace WHERE nspname = $1`,
    [schema],
  );
  return new ProjectFailure(`${roles?.role} may not use the schema ${schema} at ${shown}`, {
    help: `Who owns it allows it: ${roles?.grant}`,
    code: 'EngineRightsMissing',
  });
}

/** What runs hold is written in any script. */
function requireUnicode(encoding: string | undefined, { shown }: Database): void {
  if (encoding === 'UTF8') return;
  throw new ProjectFailure(`the database at ${shown} has the encoding ${encoding}, and UTF8 is needed`, {
    help: 'Another one has it: createdb --encoding=UTF8 --template=template0 NAME.',
    code: 'EngineEncodingUnfit',
  });
}

/** @throws ProjectFailure when the server is older than we need */
export function requireServer(version: string): void {
  if (Number.parseInt(version, 10) >= oldestServer) return;
  throw new ProjectFailure(`PostgreSQL ${version} is too old: ${oldestServer} or newer is needed`, {
    code: 'EngineTooOld',
  });
}

/** @throws ProjectFailure when a newer release has changed the schema */
export function requireKnown(migration: number, { schema, shown }: Pick<Database, 'schema' | 'shown'>): void {
  if (migration <= newestMigration) return;
  throw new ProjectFailure(
    `the schema ${schema} at ${shown} is of a newer flow: it has migration ${migration}, this release knows ${newestMigration}`,
    { help: 'Update flow here; what is installed there goes on as it is.', code: 'EngineNewer' },
  );
}

async function requireMayCreate({ schema, shown }: Database, transaction: Queryable): Promise<void> {
  const [rights] = await transaction.query<{ role: string; base: string; there: boolean; may: boolean }>(
    `SELECT current_user AS role, current_database() AS base, to_regnamespace($1) IS NOT NULL AS there,
       CASE WHEN to_regnamespace($1) IS NULL THEN has_database_privilege(current_database(), 'CREATE')
         ELSE has_schema_privilege($1, 'CREATE') END AS may`,
    [schema],
  );
  if (rights === undefined || rights.may) return;
  const { role, base, there } = rights;
  const grant = there
    ? `GRANT ALL ON SCHEMA ${schema} TO "${role}"`
    : `GRANT CREATE ON DATABASE "${base}" TO "${role}"`;
  throw new ProjectFailure(`${role} may not make the schema ${schema} at ${shown}`, {
    help: `The owner of the database allows it: ${grant};`,
    code: 'EngineRightsMissing',
  });
}
