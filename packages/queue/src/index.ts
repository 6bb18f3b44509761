export type { Database, Queryable, Transaction } from './database/database.ts';
export { isDisconnection } from './database/database-failure.ts';
export { migrate } from './database/migrate.ts';
export { type DatabaseSettings, openDatabase } from './database/open-database.ts';
export { openRunLog, type PostgresRunLog } from './record/postgres-run-log.ts';
export { openRunReader } from './record/postgres-run-reader.ts';
export type { Fence } from './record/run-writer.ts';
export { createRun, type StoredRun } from './record/stored-run.ts';
