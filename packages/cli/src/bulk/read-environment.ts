import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProjectFailure, readDotenv, readTextFile } from '@unroll/project';
import type { Io } from '../io.ts';
import { withoutQuotes } from '../options/without-quotes.ts';

/** Variables from `NAME=value` and from `.env` files, later ones win. */
export function readEnvironment(given: readonly string[], io: Io): Readonly<Record<string, string>> {
  return Object.assign({}, ...given.map((text) => readOne(text, io)));
}

function readOne(text: string, io: Io): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at > 0) return { [text.slice(0, at)]: withoutQuotes(text.slice(at + 1)) };
  const path = resolve(io.folder, text);
  if (existsSync(path) && statSync(path).isFile()) return readDotenv(readTextFile(text, io), io.environment);
  throw new ProjectFailure(`"${text}" is neither NAME=value nor a file`, {
    help: 'For instance: --env LANG=ja. What takes several values comes after the flow, or before another option.',
  });
}
