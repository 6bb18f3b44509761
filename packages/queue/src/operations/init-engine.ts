import { migrate, newestMigration, schemaState } from '../database/migrate.ts';
import { type DatabaseSettings, openDatabase } from '../database/open-database.ts';
import { installJobs, jobsRefusal } from '../jobs/index.ts';

/** What was made of a database. */
export interface InitializedEngine {
  /** Address without password. */
  readonly shown: string;
  readonly schema: string;
  readonly serverVersion: string;
  /** Names of the migrations that were applied now, and `queue` where its tables were made or renewed; none where it was up to date. */
  readonly applied: readonly string[];
  /** Number of the last one. */
  readonly migration: number;
}

/**
 * Makes a database an engine, or brings one of an older release up to date; runs in it stay. Two at once are safe.
 *
 * @throws ProjectFailure when it is not reached, too old, of a newer release, or rights are missing
 */
export async function initEngine(address: string, settings: DatabaseSettings): Promise<InitializedEngine> {
  await using database = await openDatabase(address, settings);
  try {
    const applied = await migrate(database);
    const isJobsMade = (await jobsRefusal(database)) !== undefined;
    await installJobs(database);
    const { serverVersion } = await schemaState(database);
    const { shown, schema } = database;
    return {
      shown,
      schema,
      serverVersion,
      applied: [...applied, ...(isJobsMade ? ['queue'] : [])],
      migration: newestMigration,
    };
  } catch (error) {
    throw database.failureOf(error);
  }
}
