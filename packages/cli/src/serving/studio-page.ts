import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-root.ts';

/** Folder of the studio's page: beside the bundle of an installed command; run from the sources, it is built where it is not there or older. */
export async function studioPage(): Promise<string> {
  const installed = fileURLToPath(new URL('studio', import.meta.url));
  if (existsSync(installed)) return installed;
  const { buildStudio } = (await import(
    new URL('../studio/build/build-studio.ts', `file://${packageRoot}`).href
  )) as typeof import('@unroll/studio/build');
  return await buildStudio();
}
