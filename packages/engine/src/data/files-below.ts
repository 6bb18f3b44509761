import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The files of a folder in order of path; none that is hidden, nor in a folder that is: records of runs lie in one. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split(sep).some((name) => name.startsWith('.')))
    .map((path) => join(folder, path))
    .sort();
}
