import type { SearchHit, SearchOptions } from '@unroll/engine';
import type { BuildProgress } from '@unroll/nodes/build-index';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { requireName, requireNames } from '../host/required-names.ts';
import type {
  describeIndexFile,
  EmbeddingSettings,
  IndexBuild,
  IndexBuildSettings,
  IndexQuerySettings,
  UploadProgress,
} from '../search-index/index.ts';
import { indexBuildSettings, indexQuerySettings, indexUpdateSettings } from './index-settings.ts';
import { type Operation, startOperation } from './operation.ts';
import { readSettings } from './read-settings.ts';

/** How far a build is. */
export type IndexBuildEvent = BuildProgress | UploadProgress;

/** Index files of documents, by their paths. */
export interface SearchIndexes {
  /** Makes one of files and folders, or brings it up to date with them. */
  build(
    index: string,
    paths: readonly string[],
    settings?: IndexBuildSettings & { readonly signal?: AbortSignal },
  ): Operation<IndexBuildEvent, IndexBuild>;
  /** Reads the files again that have changed, and more of them. */
  update(
    index: string,
    more?: readonly string[],
    settings?: EmbeddingSettings & { readonly signal?: AbortSignal },
  ): Operation<IndexBuildEvent, IndexBuild>;
  /** Searches as a lookup node does. */
  query(
    index: string,
    text: string,
    options?: Partial<SearchOptions> & IndexQuerySettings,
  ): Promise<readonly SearchHit[]>;
  describe(index: string): Promise<ReturnType<typeof describeIndexFile>>;
}

/** What reads documents is loaded by the first index. */
const load = () => import('../search-index/index.ts');

export function indexesOn(host: ProjectHost): SearchIndexes {
  return {
    build: (index, paths, given = {}) => {
      const { signal: asked, ...settings } = readSettings(indexBuildSettings, given);
      return startOperation<IndexBuildEvent, IndexBuild>(async (onProgress, signal) => {
        requireName(index, 'an index');
        requireNames(paths, 'the files and folders of an index');
        const { buildIndexFile } = await load();
        return await buildIndexFile(index, paths, settings as IndexBuildSettings, { signal, onProgress }, host);
      }, asked);
    },
    update: (index, more = [], given = {}) => {
      const { signal: asked, ...settings } = readSettings(indexUpdateSettings, given);
      return startOperation<IndexBuildEvent, IndexBuild>(async (onProgress, signal) => {
        requireName(index, 'an index');
        requireNames(more, 'more files and folders of an index');
        const { updateIndexFile } = await load();
        return await updateIndexFile(index, more, settings, { signal, onProgress }, host);
      }, asked);
    },
    query: async (index, text, given = {}) => {
      requireName(index, 'an index');
      requireName(text, 'what is looked for');
      const options = readSettings(indexQuerySettings, given) as SearchOptions & IndexQuerySettings;
      const { openIndexForQuery } = await load();
      await using opened = await openIndexForQuery(index, options, host);
      const found = await opened.search(text, options);
      if (found.ok) return found.hits;
      throw new ProjectFailure(found.error.message, { code: found.error.code, kind: 'failed' });
    },
    describe: async (index) => {
      requireName(index, 'an index');
      return (await load()).describeIndexFile(index, host);
    },
  };
}
