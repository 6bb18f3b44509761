import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { installJobs } from '../jobs/index.ts';
import { freshDatabase, sharedServer } from './fresh-database.ts';
import type { PostgresServer } from './postgres-server.ts';

/** An engine for one test: a database that is set up, and has no runs. */
export interface FreshEngine extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/** A database that is set up, by the server that has it: making its tables takes longer than copying them. */
const templates = new Map<PostgresServer, Promise<string>>();

/** @param server the one of this process where none is given */
export async function freshEngine(server?: PostgresServer): Promise<FreshEngine> {
  const on = server ?? (await sharedServer());
  const template = templates.get(on) ?? setUp(on);
  templates.set(on, template);
  const fresh = await freshDatabase(on, await template);
  const database = await openDatabase(fresh.url);
  return {
    url: fresh.url,
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await fresh[Symbol.asyncDispose]();
    },
  };
}

/** @returns the name of a database that is set up, and stays as long as its server */
async function setUp(server: PostgresServer): Promise<string> {
  const { url } = await freshDatabase(server);
  {
    await using database = await openDatabase(url);
    await migrate(database);
    await installJobs(database);
  }
  const name = new URL(url).pathname.slice(1);
  await using beside = await openDatabase(`${server.url}/postgres`, { connections: 1 });
  // A pooler stays connected to it, and what somebody is connected to cannot be copied.
  await beside.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  return name;
}
