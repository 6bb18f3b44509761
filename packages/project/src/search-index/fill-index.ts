import { dirname, relative, resolve, sep } from 'node:path';
import { shownPath } from '@unroll/engine';
import {
  type BuildProgress,
  type BuildReport,
  buildIndex,
  type DatabaseSync,
  type IndexSettings,
  isOffline,
  type KeptEmbedder,
  type ListedFiles,
  listFiles,
  openEmbedder,
  rarityOfIndex,
  writeIndexSettings,
} from '@unroll/nodes/build-index';
import { composeEmbedders } from '../connections/compose.ts';
import { nearestPath } from '../host/nearest-path.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { connectionNamed } from './index-connection.ts';

/** Roots are kept relative to the folder of the index, so that both can move together. */
export function keptRoot(path: string, indexPath: string): string {
  const way = relative(dirname(indexPath), path).replaceAll(sep, '/');
  return way === '' ? '.' : way;
}

/** @throws ProjectFailure when a path is not there, or nothing in it can be read */
export function requireFiles(roots: readonly string[], { folder }: Pick<System, 'folder'>): ListedFiles {
  const listed = listFiles(roots);
  const [missing] = listed.missing;
  if (missing !== undefined)
    throw new ProjectFailure(`there is no file or folder ${shownPath(missing, folder)}`, {
      code: 'FileNotFound',
      help: nearestPath(missing, shownPath(missing, folder)),
    });
  const [repeated] = listed.repeated;
  if (repeated !== undefined) {
    const help = 'Documents are named after their file: give the folder above both.';
    throw new ProjectFailure(`two files would be called ${repeated}`, { help });
  }
  if (listed.files.length > 0) return listed;
  throw new ProjectFailure('there is no file that can be read', {
    help: 'Known are .md .txt .html .jsonl .json .csv .tsv .pdf .docx .tools',
    code: 'FileNotFound',
  });
}

/** How the embedding model of an index is asked. */
export interface EmbeddingSettings {
  /** Looked into before all others. */
  readonly connectionsFile?: string | undefined;
  /** A minute's limits. */
  readonly limitRpm?: number | undefined;
  readonly limitTpm?: number | undefined;
}

export interface FollowedBuild {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: BuildProgress | UploadProgress) => void) | undefined;
}

export interface UploadProgress {
  readonly stage: 'upload';
  readonly done: number;
  readonly total: number;
}

/** Builds into an open index, with what it is to be made with. */
export async function fillIndex(
  { database, path }: { readonly database: DatabaseSync; readonly path: string },
  made: IndexSettings,
  settings: EmbeddingSettings,
  { signal, onProgress = () => undefined }: FollowedBuild,
  system: System,
): Promise<BuildReport> {
  const { files } = requireFiles(
    made.roots.map((root) => resolve(dirname(path), root)),
    system,
  );
  const embedder = made.embedder === undefined ? {} : embedderOption(database, made.embedder, settings, system);
  writeIndexSettings(database, made);
  return buildIndex(database, { files, chunks: made.chunks, signal, onProgress, ...embedder });
}

type BuildEmbedder = Pick<Parameters<typeof buildIndex>[1], 'openEmbedder'>;

/** @throws ProjectFailure when there is no such connection */
function embedderOption(
  database: DatabaseSync,
  kept: KeptEmbedder,
  { connectionsFile, limitRpm: requests, limitTpm: tokens }: EmbeddingSettings,
  system: System,
): BuildEmbedder {
  const limit = { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) };
  const isLimited = requests !== undefined || tokens !== undefined;
  const { connections, services } = composeEmbedders(system, connectionsFile, () => (isLimited ? limit : undefined));
  const connection = connectionNamed(kept.connection, connections, system);
  if (!isOffline(connection) && kept.model === undefined) {
    throw new ProjectFailure(`which embedding model of the connection "${kept.connection}"? Give --model`, {
      help: 'For instance: --model text-embedding-3-small; at Azure the name of its deployment',
    });
  }
  return {
    openEmbedder: () =>
      openEmbedder(connection, kept, services, isOffline(connection) ? rarityOfIndex(database) : undefined),
  };
}
