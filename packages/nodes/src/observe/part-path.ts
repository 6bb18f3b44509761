import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * A path as parts tell it, with `/`: from the flow's folder where it is in it or near it, so that a record holds on another
 * machine; else absolute.
 */
export function shownFrom(folder: string, path: string): string {
  const way = relative(folder, path).replaceAll(sep, '/');
  if (way === '') return '.';
  return isAbsolute(way) || way.startsWith('../../../') ? path.replaceAll(sep, '/') : way;
}

/** The absolute path that was shown. */
export function pathShown(folder: string, shown: string): string {
  return resolve(folder, shown);
}
