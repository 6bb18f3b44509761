import { type DatabaseSync, prepareChange, readSetting, writeSetting } from './index-database.ts';

const name = 'digest';

/**
 * Of all documents, as the last build that came to its end left them; undefined from the first change of a build until its end, so
 * that a build that was killed leaves none.
 */
export function keptDigest(database: DatabaseSync): string | undefined {
  return readSetting(database, name);
}

export function keepDigest(database: DatabaseSync, digest: string): void {
  writeSetting(database, name, digest);
}

export function forgetDigest(database: DatabaseSync): void {
  prepareChange(database, 'DELETE FROM settings WHERE name = ?').run(name);
}
