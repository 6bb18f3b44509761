import { readdirSync, realpathSync, type Stats, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf } from '../source/refusal.ts';

/** @returns why it cannot be looked at, where that is so */
export function lookAt(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code) ? `there is no file or folder ${path}` : unreadable(path, error);
  }
}

/** @throws what is no refusal of the system */
export function unreadable(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `${path} cannot be read: ${refusalOf(error) ?? message}`;
}

/** Why what is there cannot be read again and again. */
export function whyNotTwice(path: string, found: Stats): string | undefined {
  if (found.isFile() && !isOfKernel(path, found)) return undefined;
  return `${path} is no file: rows are read more than once, which a pipe or a device cannot give. Write them to a file first`;
}

/** The type of Linux's `/proc`: what lies there says that it is a file, and may never end. */
const procType = 0x9fa0;

function isOfKernel(path: string, { size }: Stats): boolean {
  return size === 0 && process.platform === 'linux' && statfsSync(path).type === procType;
}

/** What a dataset's folder holds. @returns why it cannot be listed, where that is so: it, or a folder in it */
export function filesOf(folder: string): readonly string[] | string {
  try {
    return filesBelow(folder);
  } catch (error) {
    return unreadable((error as NodeJS.ErrnoException).path ?? folder, error);
  }
}

/**
 * The files of a folder in order of path; none that is hidden, nor in a folder that is: records of runs lie in one. Links are followed,
 * each folder once, however many links lead to it: they may lead in circles. One that leads nowhere counts as a file.
 */
export function filesBelow(folder: string): readonly string[] {
  return below(folder, new Set()).sort();
}

/** @param seen folders that were looked into, without links */
function below(folder: string, seen: Set<string>): string[] {
  const real = realpathSync(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(folder, name);
      return leadsToFolder(path) ? below(path, seen) : [path];
    });
}

/** A link may lead in a circle, which is an error to the system even where nothing there is no error. */
function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
