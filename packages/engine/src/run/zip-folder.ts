import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zipSync } from 'fflate';
import { createFlowFiles } from './flow-files.ts';

/** The first day that the format knows: the same folder always gives the same archive. */
const firstDay = '1980-01-01T00:00:00';

/** A folder as a zip archive, its files below the folder's own name. */
export function zipFolder(folder: string): Uint8Array {
  const paths = createFlowFiles(folder, folder).list();
  const entries = paths.map((path) => [`${basename(folder)}/${path}`, readFileSync(join(folder, path))] as const);
  return zipSync(Object.fromEntries(entries), { mtime: firstDay });
}
