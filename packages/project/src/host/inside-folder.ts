import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { ProjectFailure } from './project-failure.ts';
import type { System } from './project-host.ts';

/**
 * Whoever may ask for something over HTTP is given what lies in the folder, and nothing else of the machine.
 *
 * @param what of which the path is: `flow`, `data`
 * @throws ProjectFailure for a path that leads out of it, through a link too
 */
export function requireInside(what: string, path: string, { folder }: Pick<System, 'folder'>): void {
  const root = realpathSync(folder);
  const found = resolve(root, path);
  const real = existsSync(found) ? realpathSync(found) : found;
  if (real === root || real.startsWith(root + sep)) return;
  throw new ProjectFailure(`${what} ${path} lies outside of the folder that is shown`, { code: 'OutsideFolder' });
}
