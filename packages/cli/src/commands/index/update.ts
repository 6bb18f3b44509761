import { resolve } from 'node:path';
import { describeIndex, readIndexSettings, shutIndexDatabase } from '@unroll/nodes/build-index';
import type { Io } from '../../io.ts';
import type { UpdateIndexSettings } from '../../options/index-options.ts';
import { buildDisplay } from '../../search-index/build-progress.ts';
import { openIndexFile } from '../../search-index/open-index-file.ts';
import { keptRoot, requireFiles, runBuild } from '../../search-index/run-build.ts';
import { tellBuild } from '../../search-index/tell-build.ts';

/** `flow index update`: reads the files again that have changed since the index was built. */
export async function update(settings: UpdateIndexSettings, io: Io): Promise<number> {
  const { index: given, paths: more } = settings;
  const path = resolve(io.folder, given);
  const added = more.map((one) => resolve(io.folder, one));
  if (added.length > 0) requireFiles(added);
  const database = openIndexFile(given, io, 'write');
  const display = buildDisplay(io, settings);
  try {
    const made = readIndexSettings(database);
    const roots = [...new Set([...made.roots, ...added.map((root) => keptRoot(root, path))])];
    const report = await runBuild(database, path, { ...made, roots }, settings, io, display);
    display.clear();
    return tellBuild(report, { path: given, description: describeIndex(database) }, settings, io);
  } finally {
    display.clear();
    shutIndexDatabase(database);
  }
}
