import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, refusalOf } from '@unroll/engine';
import { ConnectionFileError } from '../connection-file-error.ts';

/**
 * Writes a file whole that only its owner can read, in a folder that only its owner can look into, made where there is none.
 *
 * @throws ConnectionFileError when it cannot be written
 */
export function writeOwnFile(path: string, text: string): void {
  const written = `${path}.${process.pid}`;
  try {
    makeFolder(dirname(path), 0o700);
    writeFileSync(written, text, { mode: 0o600 });
    renameSync(written, path);
  } catch (error) {
    throw new ConnectionFileError(`${path} cannot be written: ${refusalOf(error) ?? (error as Error).message}`);
  }
}
