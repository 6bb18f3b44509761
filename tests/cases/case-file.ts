import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cases of one file of `$CASES_DIR` (default `cases/`), one JSON object a line. */
export function readCases<Case>(name: string): readonly Case[] {
  const folder = process.env['CASES_DIR'] ?? join(import.meta.dirname, '../../cases');
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case);
}
