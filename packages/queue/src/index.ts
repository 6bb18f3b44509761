export { migrate } from './database/migrate.ts';
export { openDatabase } from './database/open-database.ts';
