import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

const longestName = 200;

/**
 * The file or folder below the flow's folder that a text names, seen from one of `bases`, or the file beside that folder
 * that it leads to by `../`; undefined where it names none. The flow's folder itself, and folders above the code, are not meant.
 *
 * @returns absolute
 */
export function namedFile(text: string, bases: readonly string[], folder: string): string | undefined {
  if (text === '' || text.length > longestName || /[\n\0]/.test(text) || /^[./]*$/.test(text)) return undefined;
  const inside = bases
    .map((base) => resolve(base, text))
    .find(
      (path) =>
        isBelow(folder, path) &&
        !bases.some((base) => isBelow(path, base) || path === base) &&
        existsSync(path) &&
        isReallyBelow(folder, path),
    );
  return inside ?? fileAbove(text, bases, folder);
}

function fileAbove(text: string, bases: readonly string[], folder: string): string | undefined {
  if (!/^\.\.[/\\]/.test(text)) return undefined;
  return bases
    .map((base) => resolve(base, text))
    .find((path) => !isBelow(folder, path) && statSync(path, { throwIfNoEntry: false })?.isFile());
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** Links that lead out of the folder are not followed. */
function isReallyBelow(folder: string, path: string): boolean {
  return isBelow(realpathSync(folder), realpathSync(path));
}
