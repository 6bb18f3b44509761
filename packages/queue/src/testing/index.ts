export { type FreshDatabase, freshDatabase } from './fresh-database.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
