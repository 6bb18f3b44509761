import { resolve } from 'node:path';
import { describeIndex, readIndexSettings, shutIndexDatabase } from '@unroll/nodes/build-index';
import type { CommandCall } from '../../command-spec.ts';
import { buildDisplay } from '../../search-index/build-progress.ts';
import { openIndexFile } from '../../search-index/open-index-file.ts';
import { keptRoot, requireFiles, runBuild } from '../../search-index/run-build.ts';
import { tellBuild } from '../../search-index/tell-build.ts';

/** `flow index update`: reads the files again that have changed since the index was built. */
export async function update(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const [given = '', ...more] = call.arguments;
  const path = resolve(io.folder, given);
  const added = more.map((one) => resolve(io.folder, one));
  if (added.length > 0) requireFiles(added);
  const database = openIndexFile(given, io, 'write');
  const display = buildDisplay(io, { isQuiet: options['quiet'] === true, color: options['color'] });
  try {
    const settings = readIndexSettings(database);
    const roots = [...new Set([...settings.roots, ...added.map((root) => keptRoot(root, path))])];
    const report = await runBuild(database, path, { ...settings, roots }, call, display);
    display.clear();
    return tellBuild(report, { path: given, description: describeIndex(database) }, call);
  } finally {
    display.clear();
    shutIndexDatabase(database);
  }
}
