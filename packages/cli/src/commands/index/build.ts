import { existsSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  createIndexDatabase,
  type DatabaseSync,
  describeIndex,
  type IndexSettings,
  type KeptEmbedder,
  readIndexSettings,
  shutIndexDatabase,
} from '@unroll/nodes/build-index';
import { ProjectFailure, writeRefusal } from '@unroll/project';
import type { Io } from '../../io.ts';
import type { BuildIndexSettings } from '../../options/index-options.ts';
import { buildDisplay } from '../../search-index/build-progress.ts';
import { embedderOf } from '../../search-index/embedder-option.ts';
import { openIndexFile } from '../../search-index/open-index-file.ts';
import { keptRoot, requireFiles, runBuild } from '../../search-index/run-build.ts';
import { tellBuild } from '../../search-index/tell-build.ts';
import { uploadIndex } from '../../search-index/upload-index.ts';

/** `flow index build`: one index file of documents, and an index at Azure that holds the same where one is named. */
export async function build(settings: BuildIndexSettings, io: Io): Promise<number> {
  const given = outOf(settings);
  const path = resolve(io.folder, given);
  const refusal = writeRefusal(path);
  if (refusal !== undefined) throw new ProjectFailure(`${given} cannot be written: ${refusal}`);
  const roots = settings.paths.map((one) => resolve(io.folder, one));
  requireFiles(roots);
  const wanted = { ...wantedOf(settings), roots: roots.map((root) => keptRoot(root, path)) };
  if (settings.rebuild) for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  const database = existsSync(path) ? openIndexFile(given, io, 'write') : createIndexDatabase(path);
  const display = buildDisplay(io, settings);
  try {
    const made = settled(wanted, database, given);
    const report = await runBuild(database, path, made, settings, io, display);
    const name = settings.name ?? basename(given).replace(/\.index$/, '');
    const uploaded = await uploadIndex(database, name, settings, io, display);
    display.clear();
    return tellBuild(report, { path: given, description: describeIndex(database), ...uploaded }, settings, io);
  } finally {
    display.clear();
    shutIndexDatabase(database);
  }
}

function outOf({ out }: BuildIndexSettings): string {
  if (out === undefined) {
    throw new ProjectFailure('where to? Give --out', { help: 'For instance: flow index build docs --out docs.index' });
  }
  if (out.endsWith('.index')) return out;
  throw new ProjectFailure(`the name of an index ends in .index, for instance ${out}.index`);
}

function wantedOf(settings: BuildIndexSettings): Omit<IndexSettings, 'roots'> {
  const tokens = settings.chunkTokens ?? 400;
  const overlap = settings.overlap ?? Math.min(60, Math.floor(tokens / 4));
  if (overlap * 2 > tokens) throw new ProjectFailure('--overlap takes at most half of --chunk-tokens');
  const embedder = embedderOf(settings);
  return { chunks: { tokens, overlap }, ...(embedder === undefined ? {} : { embedder }) };
}

/** An index keeps its embedding model; the same one need not be named again. */
function settled(wanted: IndexSettings, database: DatabaseSync, given: string): IndexSettings {
  const { embedder: kept } = readIndexSettings(database);
  if (kept === undefined) return wanted;
  if (wanted.embedder === undefined) return { ...wanted, embedder: kept };
  const isSame = kept.model === wanted.embedder.model && kept.dimensions === wanted.embedder.dimensions;
  if (isSame) return wanted;
  throw new ProjectFailure(`${given} holds vectors of ${described(kept)}, not of ${described(wanted.embedder)}`, {
    code: 'IndexOutdated',
    help: 'Leave --embedder out to keep them, or make the index anew with --rebuild.',
  });
}

function described({ connection, model, dimensions }: KeptEmbedder): string {
  return `${model ?? connection}${dimensions === undefined ? '' : ` (${dimensions} dimensions)`}`;
}
