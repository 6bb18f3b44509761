import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder the cases are read from: `$CASES_DIR`, or this project's own. */
export const casesFolder: string = process.env['CASES_DIR'] ?? join(import.meta.dirname, '../../cases');

/** The cases of one file of `$CASES_DIR` (default `cases/`), one JSON object a line. */
export function readCases<Case>(name: string): readonly Case[] {
  const lines = readFileSync(join(casesFolder, name), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case);
}
