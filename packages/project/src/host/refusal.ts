import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { RunFileError, refusalOf } from '@unroll/engine';

/** What the file system or SQLite says, without the path that the message names already. */
export function reasonOf(error: unknown): string {
  if (error instanceof RunFileError) return error.reason;
  if (!(error instanceof Error)) return String(error);
  return refusalOf(error) ?? error.message.replace(/^[A-Z]+: /, '').replace(/, \w+ '.*'$/, '');
}

/** Why a file or folder cannot be written or made there; undefined where it can, or where only trying tells. */
export function writeRefusal(path: string): string | undefined {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.W_OK);
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}
