import { dirname, relative, resolve, sep } from 'node:path';
import { didYouMean } from '@unroll/engine';
import {
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
import { composeEmbedders, ProjectFailure } from '@unroll/project';
import type { Io } from '../io.ts';
import type { UpdateIndexSettings } from '../options/index-options.ts';
import type { BuildDisplay } from './build-progress.ts';

/** Roots are kept relative to the folder of the index, so that both can move together. */
export function keptRoot(path: string, indexPath: string): string {
  const way = relative(dirname(indexPath), path).replaceAll(sep, '/');
  return way === '' ? '.' : way;
}

/** @throws ProjectFailure when a path is not there, or nothing in it can be read */
export function requireFiles(roots: readonly string[]): ListedFiles {
  const listed = listFiles(roots);
  const [missing] = listed.missing;
  if (missing !== undefined)
    throw new ProjectFailure(`there is no file or folder ${missing}`, { code: 'FileNotFound' });
  const [repeated] = listed.repeated;
  if (repeated !== undefined) {
    const help = 'Documents are named after their file: give the folder above both.';
    throw new ProjectFailure(`two files would be called ${repeated}`, { help });
  }
  if (listed.files.length > 0) return listed;
  throw new ProjectFailure('there is no file that can be read', {
    help: 'Known are .md .txt .html .jsonl .json .csv .tsv .pdf .docx',
    code: 'FileNotFound',
  });
}

type BuildSettings = Pick<UpdateIndexSettings, 'limitRpm' | 'limitTpm' | 'connectionsFile'>;

/** Builds into an open index, with what it is to be made with. */
export async function runBuild(
  database: DatabaseSync,
  indexPath: string,
  made: IndexSettings,
  settings: BuildSettings,
  io: Io,
  display: BuildDisplay,
): Promise<BuildReport> {
  const { files } = requireFiles(made.roots.map((root) => resolve(dirname(indexPath), root)));
  const signal = io.interruption();
  const embedder = made.embedder === undefined ? {} : embedderOption(database, made.embedder, settings, io);
  writeIndexSettings(database, made);
  const { chunks } = made;
  return buildIndex(database, { files, chunks, signal, onProgress: (progress) => display.show(progress), ...embedder });
}

type BuildEmbedder = Pick<Parameters<typeof buildIndex>[1], 'openEmbedder'>;

/** @throws ProjectFailure when there is no such connection */
function embedderOption(database: DatabaseSync, kept: KeptEmbedder, settings: BuildSettings, io: Io): BuildEmbedder {
  const requests = settings.limitRpm;
  const tokens = settings.limitTpm;
  const limit = { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) };
  const isLimited = requests !== undefined || tokens !== undefined;
  const { connections, services } = composeEmbedders(io, settings.connectionsFile, () =>
    isLimited ? limit : undefined,
  );
  const connection = connections.find(kept.connection);
  if (connection === undefined) {
    throw new ProjectFailure(`there is no connection "${kept.connection}"`, {
      code: 'ConnectionNotFoundError',
      help: didYouMean(kept.connection, connections.names()) ?? 'flow connection list shows those there are',
    });
  }
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
