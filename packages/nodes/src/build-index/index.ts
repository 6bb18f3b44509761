export { azureSearchIndex } from '../azure-search/azure-search-index.ts';
export { type Uploaded, uploadIndex } from '../azure-search/upload-index.ts';
export { type EmbeddedIndex, embeddedIndex } from '../embedded-index/embedded-index.ts';
export { explainFilter } from '../embedded-index/explain-filter.ts';
export {
  createIndexDatabase,
  type DatabaseSync,
  openIndexDatabase,
  readSetting,
  shutIndexDatabase,
} from '../embedded-index/index-database.ts';
export { IndexError } from '../embedded-index/index-error.ts';
export {
  hasVectors,
  type IndexSettings,
  type KeptEmbedder,
  readIndexSettings,
  writeIndexSettings,
} from '../embedded-index/index-settings.ts';
export { keptDigest } from '../embedded-index/kept-digest.ts';
export { type EmbedderServices, isOffline, openEmbedder, openEmbedderOf } from '../embedders/open-embedder.ts';
export { readFusion } from '../lookup/lookup-settings.ts';
export { readFilter } from '../lookup/read-filter.ts';
export {
  type BuildOptions,
  type BuildProgress,
  type BuildReport,
  buildIndex,
  type FileProblem,
  rarityOfIndex,
} from './build-index.ts';
export { describeIndex, type IndexDescription } from './describe-index.ts';
export { type ListedFiles, listFiles, type SourcePath } from './list-files.ts';
