import { ProjectFailure } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { newestMigration, requireKnown, requireServer, schemaState } from '../database/migrate.ts';
import { type DatabaseSettings, openDatabase } from '../database/open-database.ts';

/**
 * Opens the database of an engine that was set up.
 *
 * @throws ProjectFailure when it is not reached, was not set up, or is of another release
 */
export async function openEngine(address: string, settings: DatabaseSettings): Promise<Database> {
  const database = await openDatabase(address, settings);
  try {
    const { serverVersion, migration } = await schemaState(database);
    requireServer(serverVersion);
    requireKnown(migration, database);
    if (migration < newestMigration) throw notSetUp(migration, database);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw database.failureOf(error);
  }
}

function notSetUp(migration: number, { shown, schema }: Database): ProjectFailure {
  const what = migration === 0 ? 'is no engine yet' : 'is an engine of an older flow';
  return new ProjectFailure(`the schema ${schema} at ${shown} ${what}`, {
    code: 'EngineNotReady',
    help: 'flow engine init with the same address makes it one.',
  });
}
