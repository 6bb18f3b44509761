import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-root.ts';

/** Folder of the studio's page: beside the bundle of an installed command, else where its package builds it. */
export function studioPage(): string {
  const installed = fileURLToPath(new URL('studio', import.meta.url));
  return existsSync(installed) ? installed : fileURLToPath(new URL('../studio/dist', `file://${packageRoot}`));
}
