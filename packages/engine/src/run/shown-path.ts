import { isAbsolute, relative, sep } from 'node:path';

/**
 * An absolute path as it can be typed again from `folder`: relative unless it leads out. With `/` on Windows too, which takes
 * it as well, so that what is kept or asked for by it is the same on each system.
 */
export function shownPath(path: string, folder: string): string {
  const shown = relative(folder, path).replaceAll(sep, '/');
  if (shown === '') return '.';
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown;
}
