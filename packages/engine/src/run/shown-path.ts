import { relative } from 'node:path';

/** An absolute path as it can be typed again from `folder`: relative unless it leads out. */
export function shownPath(path: string, folder: string): string {
  const shown = relative(folder, path);
  if (shown === '') return '.';
  return shown.startsWith('..') ? path : shown;
}
