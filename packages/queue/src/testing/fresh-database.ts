import { randomBytes } from 'node:crypto';
import { openDatabase } from '../database/open-database.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** A database for one test, empty. */
export interface FreshDatabase extends AsyncDisposable {
  /** Of its owner, who may do everything. */
  readonly url: string;
}

let shared: Promise<PostgresServer> | undefined;

/** @param server the one of this process where none is given */
export async function freshDatabase(server?: PostgresServer): Promise<FreshDatabase> {
  shared ??= server === undefined ? startPostgres() : undefined;
  const { url } = server ?? (await (shared as Promise<PostgresServer>));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await tell(url, `CREATE DATABASE ${name}`);
  return {
    url: `${url}/${name}`,
    [Symbol.asyncDispose]: () => tell(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Carries out one statement as the owner of a server. */
async function tell(url: string, statement: string): Promise<void> {
  await using database = await openDatabase(`${url}/postgres`, { connections: 1 });
  await database.query(statement);
}
