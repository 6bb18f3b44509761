import { type Stats, statSync } from 'node:fs';
import { refusalOf } from '../source/refusal.ts';
import { RunFileError } from './run-file-error.ts';

/** The path of a record that can be opened: a pipe would be waited for without end. @throws RunFileError */
export function requireFile(path: string, name = path): string {
  const found = lookedAt(path);
  if (found === undefined) throw new RunFileError(`there is no run record ${name}`);
  if (!found.isFile()) throw new RunFileError(`${name} is no run record: it is no file`);
  return path;
}

function lookedAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const reason = refusalOf(error) ?? (error as Error).message;
    throw new RunFileError(`the run record ${path} cannot be read: ${reason}`, reason, { cause: error });
  }
}
