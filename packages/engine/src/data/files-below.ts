import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unreadable } from './readable-file.ts';

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
