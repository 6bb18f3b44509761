import { ProjectFailure } from '@unroll/project';
import { buildIndexFile } from '@unroll/project/search-index';
import { heardSystem } from '../../heard-system.ts';
import type { Io } from '../../io.ts';
import type { BuildIndexSettings } from '../../options/index-options.ts';
import { buildDisplay } from '../../search-index/build-progress.ts';
import { embedderOf } from '../../search-index/embedder-option.ts';
import { reportBuild } from '../../search-index/report-build.ts';

/** `flow index build`: one index file of documents, and an index at Azure that holds the same where one is named. */
export async function build(settings: BuildIndexSettings, io: Io): Promise<number> {
  const { out, paths } = settings;
  if (out === undefined) {
    throw new ProjectFailure('where to? Give --out', { help: 'For instance: flow index build docs --out docs.index' });
  }
  const display = buildDisplay(io, settings);
  const following = { signal: io.interruption(), onProgress: display.show };
  try {
    const asked = { ...settings, embedder: embedderOf(settings) };
    const built = await buildIndexFile(out, paths, asked, following, heardSystem(settings, io));
    display.clear();
    return reportBuild(out, built, settings, io);
  } finally {
    display.clear();
  }
}
