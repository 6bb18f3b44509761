import { updateIndexFile } from '@unroll/project/search-index';
import { heardSystem } from '../../heard-system.ts';
import type { Io } from '../../io.ts';
import type { UpdateIndexSettings } from '../../options/index-options.ts';
import { buildDisplay } from '../../search-index/build-progress.ts';
import { reportBuild } from '../../search-index/report-build.ts';

/** `flow index update`: reads the files again that have changed since the index was built. */
export async function update(settings: UpdateIndexSettings, io: Io): Promise<number> {
  const { index, paths } = settings;
  const display = buildDisplay(io, settings);
  const following = { signal: io.interruption(), onProgress: display.show };
  try {
    const built = await updateIndexFile(index, paths, settings, following, heardSystem(settings, io));
    display.clear();
    return reportBuild(index, built, settings, io);
  } finally {
    display.clear();
  }
}
