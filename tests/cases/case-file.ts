import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@unroll/engine';

const ownFolder = join(import.meta.dirname, '../../cases');

/** Folder the cases are read from: `$CASES_DIR`, or this project's own. */
export const casesFolder: string = process.env['CASES_DIR'] ?? ownFolder;

/** The cases of one file of `$CASES_DIR` (default `cases/`), one JSON object a line; this project's own where it has none. */
export function readCases<Case>(name: string): readonly Case[] {
  return linesOf(name).map((line) => JSON.parse(line) as Case);
}

/** The same with numbers as Python reads them: `1.0` is not `1`. For cases whose values are printed or passed on. */
export function readExactCases<Case>(name: string): readonly Case[] {
  return linesOf(name).map((line) => parseJson(line) as Case);
}

/** Cases that others refer to by id: those of `$CASES_DIR`, then this project's own that are not among them. */
export function readReferred<Case extends { readonly id: string }>(name: string): readonly Case[] {
  const given = readCases<Case>(name);
  const ids = new Set(given.map(({ id }) => id));
  const own = splitLines(join(ownFolder, name)).map((line) => JSON.parse(line) as Case);
  return [...given, ...own.filter(({ id }) => !ids.has(id))];
}

/** The whole text of a file of cases. */
export function readCaseText(name: string): string {
  const path = join(casesFolder, name);
  return readFileSync(existsSync(path) ? path : join(ownFolder, name), 'utf8');
}

function linesOf(name: string): readonly string[] {
  const path = join(casesFolder, name);
  return splitLines(existsSync(path) ? path : join(ownFolder, name));
}

function splitLines(path: string): readonly string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
