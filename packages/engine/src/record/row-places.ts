import type { DatabaseSync } from 'node:sqlite';
import { rowOfNumber } from './row-digests.ts';

export function countRows(database: DatabaseSync, table: string): number {
  return (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
}

export function placeOf(row: number): readonly [line: number, repeat: number] {
  const { line, repeat } = rowOfNumber(row);
  return [line, repeat];
}
