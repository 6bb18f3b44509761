export { buildIndexFile, type IndexBuild, type IndexBuildSettings, updateIndexFile } from './build-index-file.ts';
export { describeIndexFile } from './describe-index-file.ts';
export type { EmbeddingSettings, FollowedBuild, UploadProgress } from './fill-index.ts';
export { type IndexQuerySettings, type OpenedIndex, openIndexForQuery } from './query-index.ts';
export type { Upload } from './upload-index.ts';
