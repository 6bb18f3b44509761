import type { DatabaseSync } from 'node:sqlite';
import { type JsonValue, parseOwnJson } from '../value/json.ts';
import { entryChecksum } from './checksums.ts';
import { RunDamageError } from './run-file-error.ts';

/** @throws RunDamageError when one is not what was written */
export function readMetrics(database: DatabaseSync, path: string): Readonly<Record<string, JsonValue>> {
  const rows = database.prepare('SELECT name, value, checksum FROM metrics ORDER BY rowid').all();
  const metrics = rows.map(({ name, value, checksum }): [string, JsonValue] => {
    if (checksum === entryChecksum('metrics', String(name), String(value)))
      return [String(name), parseOwnJson(String(value))];
    throw new RunDamageError({ message: `the metrics of the run record ${path} are damaged` });
  });
  return Object.fromEntries(metrics);
}
