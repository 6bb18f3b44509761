import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** What an operating system refuses, in the words of its own messages. */
const words: Readonly<Record<string, string>> = {
  EROFS: 'read-only file system',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ELOOP: 'too many symbolic links',
};

/** Why the system refused something; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  // Some functions of Node give no code.
  return words[code ?? ''] ?? (/read-only file system/i.test(error.message) ? words['EROFS'] : undefined);
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
