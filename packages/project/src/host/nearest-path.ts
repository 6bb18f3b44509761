import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { meantText, nearestName } from '@unroll/engine';

/**
 * `did you mean "…"?` for a file or folder of nearly that name in the same folder; undefined where there is none.
 *
 * @param path absolute
 */
export function nearestPath(path: string, written: string): string | undefined {
  const folder = dirname(path);
  if (existsSync(path) || !existsSync(folder) || !statSync(folder).isDirectory()) return undefined;
  const nearest = nearestName(basename(path), readdirSync(folder));
  if (nearest === undefined) return undefined;
  return meantText(written, join(dirname(written), nearest).replaceAll(sep, '/'));
}
