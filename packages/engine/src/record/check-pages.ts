import type { DatabaseSync } from 'node:sqlite';
import { missingText } from './read-damage.ts';
import { RunDamageError } from './run-file-error.ts';
import { damagedSegments } from './segments.ts';
import { NodeNames } from './stored-ends.ts';
import { countedTables, missingRecords } from './table-totals.ts';

const maxReported = 20;

/** What SQLite says of the structure of a file; nothing where it is sound. */
export function damagedPages(database: DatabaseSync, look: 'integrity_check' | 'quick_check'): readonly string[] {
  const rows = database.prepare(`PRAGMA ${look}(${maxReported})`).all();
  // Several in one text, after a line that names the database.
  const lines = rows.flatMap((row) => String(row[look]).split('\n'));
  return lines.filter((line) => line !== 'ok' && !line.startsWith('*** in database'));
}

/**
 * Before records are added to a file: pages that are free by mistake would be written over.
 *
 * @throws RunDamageError
 */
export function requireSound(database: DatabaseSync, path: string): void {
  const damage = (message: string): RunDamageError => new RunDamageError({ message });
  const [page] = damagedPages(database, 'quick_check');
  if (page !== undefined) throw damage(`the run record ${path} is damaged: ${page}`);
  for (const table of countedTables) {
    const missing = missingRecords(database, table);
    if (missing !== undefined) throw damage(missingText(path, table, missing));
  }
  new NodeNames(database, path).all();
  const [segment] = damagedSegments(database);
  if (segment !== undefined) throw damage(`segment ${segment} of the run record ${path} is damaged`);
}
