import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeIndex, type IndexDescription } from '@unroll/nodes/build-index';
import type { System } from '../host/project-host.ts';
import { openIndexFile } from './open-index-file.ts';

/** What an index holds and how it was made, and the size of its file in bytes. */
export function describeIndexFile(index: string, system: System): IndexDescription & { readonly bytes: number } {
  const database = openIndexFile(index, system, 'read');
  try {
    const { size: bytes } = statSync(resolve(system.folder, index));
    return { bytes, ...describeIndex(database) };
  } finally {
    database.close();
  }
}
