import { randomBytes } from 'node:crypto';
import { openDatabase } from '../database/open-database.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** A database for one test, empty. */
export interface FreshDatabase extends AsyncDisposable {
  /** Of its owner, who may do everything. */
  readonly url: string;
}

/** The one of this process. */
export function sharedServer(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

let shared: Promise<PostgresServer> | undefined;

/**
 * @param server the one of this process where none is given
 * @param template a database of that server to copy, to which nobody is connected; an empty one where absent
 */
export async function freshDatabase(server?: PostgresServer, template = 'template1'): Promise<FreshDatabase> {
  const { url } = server ?? (await sharedServer());
  const name = `test_${randomBytes(6).toString('hex')}`;
  await create(url, `${name} TEMPLATE ${template}`);
  return {
    url: `${url}/${name}`,
    [Symbol.asyncDispose]: () => run(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Its files are copied: through the log of the server, as is usual since PostgreSQL 15, takes three times the processor. */
async function create(url: string, what: string): Promise<void> {
  await using database = await openDatabase(`${url}/postgres`, { connections: 1 });
  const sql = "SELECT current_setting('server_version_num')::integer >= 150000 AS chooses";
  const [server] = await database.query<{ chooses: boolean }>(sql);
  await database.query(`CREATE DATABASE ${what} ${server?.chooses ? 'STRATEGY FILE_COPY' : ''}`);
}

/** Carries out one statement as the owner of a server. */
async function run(url: string, statement: string): Promise<void> {
  await using database = await openDatabase(`${url}/postgres`, { connections: 1 });
  await database.query(statement);
}
