import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { shownPath } from '@unroll/engine';
import {
  type BuildReport,
  createIndexDatabase,
  type DatabaseSync,
  describeIndex,
  hasVectors,
  type IndexDescription,
  type IndexSettings,
  type KeptEmbedder,
  readIndexSettings,
  shutIndexDatabase,
} from '@unroll/nodes/build-index';
import { makePlace } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { withFileLock } from '../host/with-file-lock.ts';
import { placeBeside, removeKeptBeside, takePlace } from './build-beside.ts';
import { type EmbeddingSettings, type FollowedBuild, fillIndex, keptRoot, requireFiles } from './fill-index.ts';
import { openIndexFile, requireIndexFile } from './open-index-file.ts';
import { orIndexFailure } from './or-index-failure.ts';
import { type Upload, uploadIndex } from './upload-index.ts';

export interface IndexBuildSettings extends EmbeddingSettings {
  /** Makes vectors too; an index keeps its embedding model. */
  readonly embedder?: KeptEmbedder | undefined;
  /** Largest piece of a document, in tokens as estimated: 400 where it is not said. */
  readonly chunkTokens?: number | undefined;
  /** Tokens that the next piece repeats: 60, or a quarter of a piece. */
  readonly overlap?: number | undefined;
  /** Makes it again, beside the one before, which stays until the new one is whole. */
  readonly rebuild?: boolean | undefined;
  /** A connection to Azure AI Search, where an index is then made the same. */
  readonly azure?: string | undefined;
  /** What the index is called at Azure; as the file where it is not said. */
  readonly name?: string | undefined;
}

/** What a build did, and what the index holds then. */
export interface IndexBuild {
  readonly report: BuildReport;
  readonly description: IndexDescription;
  /** The file that was written, where it did not come to its end and the index that was to be made again stays as it was. */
  readonly beside?: string;
  readonly uploaded?: Upload;
  /** What had made vectors of the index that was made again, where the new one has none. */
  readonly withoutVectors?: KeptEmbedder;
}

/** One index file of documents, brought up to date where it is there, and an index at Azure that holds the same. */
export async function buildIndexFile(
  index: string,
  paths: readonly string[],
  settings: IndexBuildSettings,
  following: FollowedBuild,
  system: System,
): Promise<IndexBuild> {
  if (!index.endsWith('.index')) {
    throw new ProjectFailure(`the name of an index ends in .index, for instance ${index}.index`);
  }
  const path = resolve(system.folder, index);
  makePlace(index, system);
  const roots = paths.map((one) => resolve(system.folder, one));
  requireFiles(roots, system);
  const wanted = { ...wantedOf(settings), roots: roots.map((root) => keptRoot(root, path)) };
  return await whileOnlyWriter(index, path, async () => {
    const place = placeOf(path, settings);
    const isAgain = place !== path;
    const report = await fillFile({ place, path, index }, wanted, settings, following, system);
    const isBeside = isAgain && (report.isStopped || report.failure !== undefined);
    const lost = isAgain && !isBeside ? takePlace(place, path) : {};
    const database = openIndexFile(isBeside ? place : path, system, 'read');
    try {
      const built = { report, description: describeIndex(database), ...lost };
      if (isBeside) return { ...built, beside: shownPath(place, system.folder) };
      return { ...built, ...(await uploadedTo(settings, index, database, following, system)) };
    } finally {
      database.close();
    }
  });
}

function placeOf(path: string, { rebuild = false, embedder }: IndexBuildSettings): string {
  return rebuild && existsSync(path) ? placeBeside(path, embedder) : path;
}

/** Two builds at once would ask for the same vectors, and take each other's file away. */
async function whileOnlyWriter<T>(index: string, path: string, write: () => Promise<T>): Promise<T> {
  return await withFileLock({ file: path, shown: index }, () => orIndexFailure(index, write));
}

async function uploadedTo(
  { azure, connectionsFile, name }: IndexBuildSettings,
  index: string,
  database: DatabaseSync,
  following: FollowedBuild,
  system: System,
): Promise<Pick<IndexBuild, 'uploaded'>> {
  if (azure === undefined) return {};
  const there = { name: name ?? basename(index).replace(/\.index$/, ''), azure, connectionsFile };
  return { uploaded: await uploadIndex(database, there, following, system) };
}

/** Where an index is built, where it will lie, and what it is called. */
interface BuiltPlace {
  readonly place: string;
  readonly path: string;
  readonly index: string;
}

async function fillFile(
  { place, path, index }: BuiltPlace,
  wanted: IndexSettings,
  settings: EmbeddingSettings,
  following: FollowedBuild,
  system: System,
): Promise<BuildReport> {
  if (!existsSync(place)) removeKeptBeside(place);
  const shown = shownPath(place, system.folder);
  const database = existsSync(place) ? openIndexFile(shown, system, 'write') : createIndexDatabase(place);
  try {
    return await fillIndex({ database, path }, settled(wanted, database, index), settings, following, system);
  } finally {
    shutIndexDatabase(database);
  }
}

/** Reads the files again that have changed since an index was built, and more of them. */
export async function updateIndexFile(
  index: string,
  more: readonly string[],
  settings: EmbeddingSettings,
  following: FollowedBuild,
  system: System,
): Promise<IndexBuild> {
  const path = requireIndexFile(index, system);
  const added = more.map((one) => resolve(system.folder, one));
  if (added.length > 0) requireFiles(added, system);
  return await whileOnlyWriter(index, path, async () => {
    const database = openIndexFile(index, system, 'write');
    try {
      const made = readIndexSettings(database);
      const roots = [...new Set([...made.roots, ...added.map((root) => keptRoot(root, path))])];
      const report = await fillIndex({ database, path }, { ...made, roots }, settings, following, system);
      return { report, description: describeIndex(database) };
    } finally {
      shutIndexDatabase(database);
    }
  });
}

function wantedOf({
  chunkTokens: tokens = 400,
  embedder,
  ...settings
}: IndexBuildSettings): Omit<IndexSettings, 'roots'> {
  const overlap = settings.overlap ?? Math.min(60, Math.floor(tokens / 4));
  if (overlap * 2 > tokens) throw new ProjectFailure('--overlap takes at most half of --chunk-tokens');
  return { chunks: { tokens, overlap }, ...(embedder === undefined ? {} : { embedder }) };
}

/** An index keeps its embedding model; the same one need not be named again. */
function settled(wanted: IndexSettings, database: DatabaseSync, given: string): IndexSettings {
  const { embedder: kept } = readIndexSettings(database);
  if (kept === undefined) return wanted;
  if (wanted.embedder === undefined) return { ...wanted, embedder: kept };
  if (!hasVectors(database)) return wanted;
  const isSame = kept.model === wanted.embedder.model && kept.dimensions === wanted.embedder.dimensions;
  if (isSame) return wanted;
  throw new ProjectFailure(`${given} holds vectors of ${described(kept)}, not of ${described(wanted.embedder)}`, {
    code: 'IndexOutdated',
    help: 'Leave --embedder out to keep them, or make the index again with --rebuild.',
  });
}

function described({ connection, model, dimensions }: KeptEmbedder): string {
  return `${model ?? connection}${dimensions === undefined ? '' : ` (${dimensions} dimensions)`}`;
}
