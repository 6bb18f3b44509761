import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { installJobs } from '../jobs/index.ts';
import { freshDatabase } from './fresh-database.ts';
import type { PostgresServer } from './postgres-server.ts';

/** An engine for one test: a database that is set up, and has no runs. */
export interface FreshEngine extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/** @param server the one of this process where none is given */
export async function freshEngine(server?: PostgresServer): Promise<FreshEngine> {
  const fresh = await freshDatabase(server);
  const database = await openDatabase(fresh.url);
  await migrate(database);
  await installJobs(database);
  return {
    url: fresh.url,
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await fresh[Symbol.asyncDispose]();
    },
  };
}
