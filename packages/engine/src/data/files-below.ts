import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files of a folder in order of path; none that is hidden, nor in a folder that is: records of runs lie in one. Links are followed,
 * but for one to a folder it lies in, which would give the same files again and again. One that leads nowhere counts as a file.
 */
export function filesBelow(folder: string): readonly string[] {
  return below(folder, new Set()).sort();
}

/** @param around the folders it lies in, without links */
function below(folder: string, around: ReadonlySet<string>): string[] {
  const real = realpathSync(folder);
  if (around.has(real)) return [];
  const inside = new Set([...around, real]);
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(folder, name);
      return leadsToFolder(path) ? below(path, inside) : [path];
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
