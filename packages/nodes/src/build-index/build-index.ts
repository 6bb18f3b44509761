import { readFileSync, statSync } from 'node:fs';
import type { Embedder, NodeError } from '@unroll/engine';
import type { ChunkSettings } from '../documents/chunk-sections.ts';
import { readFile } from '../documents/read-file.ts';
import { type DatabaseSync, readSetting, writeSetting } from '../embedded-index/index-database.ts';
import { embeddedText, fileDigest } from '../embedded-index/index-document.ts';
import { hasVectors } from '../embedded-index/index-settings.ts';
import { IndexWriter } from '../embedded-index/index-writer.ts';
import { forgetDigest, keepDigest, keptDigest } from '../embedded-index/kept-digest.ts';
import { learnRarity, stringifyRarity } from '../embedders/offline-embedder.ts';
import type { SourcePath } from './list-files.ts';

export interface BuildOptions {
  readonly files: readonly SourcePath[];
  readonly chunks: ChunkSettings;
  /** Absent: the index is searched by words only. Asked once the documents are in the index. */
  readonly openEmbedder?: () => Promise<Embedder | string>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: BuildProgress) => void;
}

export interface BuildProgress {
  readonly stage: 'read' | 'embed';
  readonly done: number;
  readonly total: number;
  /** The file that is read. */
  readonly name?: string;
}

/** What a build did. */
export interface BuildReport {
  readonly files: { readonly read: number; readonly unchanged: number; readonly removed: number };
  readonly documents: { readonly added: number; readonly changed: number; readonly removed: number };
  /** Vectors that were made; those of texts that had one were kept. */
  readonly embedded: number;
  readonly tokens: number;
  /** What could not be read, file by file; the rest is in the index. */
  readonly problems: readonly FileProblem[];
  /** Why there are not all vectors; what was made is kept for the next build. */
  readonly failure?: NodeError;
  readonly isStopped: boolean;
}

export interface FileProblem {
  readonly name: string;
  readonly problem: string;
}

/**
 * Brings an index up to date with files: what has not changed is not read again, documents of files that are gone go, every
 * step is kept at once, so that a build that was stopped goes on where it was.
 */
export async function buildIndex(database: DatabaseSync, options: BuildOptions): Promise<BuildReport> {
  const writer = new IndexWriter(database);
  const read = await readSources(writer, options);
  const removed = options.signal.aborted ? { files: 0, documents: 0 } : removeOthers(writer, options.files);
  const embedding = options.signal.aborted ? noVectors : await embedAll(database, writer, options);
  const hasChanged = read.changes > 0 || removed.files > 0 || embedding.embedded > 0;
  const isStopped = options.signal.aborted;
  const isUnfinished = embedding.failure !== undefined || (isStopped && hasChanged);
  // Without a digest a build did not come to its end, and lookups say so.
  if (isUnfinished) forgetDigest(database);
  else if (!isStopped && (hasChanged || keptDigest(database) === undefined)) {
    writer.tidy();
    keepDigest(database, writer.digest());
  }
  const { added, changed } = read.documents;
  return {
    files: { read: read.read, unchanged: read.unchanged, removed: removed.files },
    documents: { added, changed, removed: read.documents.removed + removed.documents },
    ...embedding,
    problems: read.problems,
    isStopped,
  };
}

interface ReadSources {
  readonly read: number;
  readonly unchanged: number;
  readonly changes: number;
  readonly documents: { readonly added: number; readonly changed: number; readonly removed: number };
  readonly problems: readonly FileProblem[];
}

async function readSources(
  writer: IndexWriter,
  { files, chunks, signal, onProgress }: BuildOptions,
): Promise<ReadSources> {
  const known = writer.sources();
  const counts = { read: 0, unchanged: 0, added: 0, changed: 0, removed: 0 };
  const problems: FileProblem[] = [];
  for (const [index, { name, path }] of files.entries()) {
    if (signal.aborted) break;
    onProgress?.({ stage: 'read', done: index, total: files.length, name });
    const bytes = bytesOf(path);
    if (typeof bytes === 'string') {
      problems.push({ name, problem: bytes });
      continue;
    }
    const digest = `${fileDigest(bytes)} ${chunks.tokens} ${chunks.overlap}`;
    if (known.get(name) === digest) {
      counts.unchanged += 1;
      continue;
    }
    const { documents, problems: told } = await readFile(name, path, bytes, chunks);
    problems.push(...told.map((problem) => ({ name, problem })));
    // A file with a problem is read again by the next build, so that the problem is told again.
    const { taken, ...changes } = writer.putSource(name, told.length === 0 ? digest : '', documents);
    problems.push(
      ...taken.map((id) => ({ name, problem: `another document has the id "${id}" already; this one is left out` })),
    );
    counts.read += 1;
    counts.added += changes.added;
    counts.changed += changes.changed;
    counts.removed += changes.removed;
  }
  onProgress?.({ stage: 'read', done: files.length, total: files.length });
  const { read, unchanged, ...documents } = counts;
  return { read, unchanged, changes: documents.added + documents.changed + documents.removed, documents, problems };
}

function bytesOf(path: string): Uint8Array | string {
  try {
    const stat = statSync(path);
    // Whoever opens a pipe that nobody writes to waits for ever.
    if (!stat.isFile() && !stat.isDirectory()) return 'it is a pipe or a device, not a file';
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'it links to a file that is not there' : `it cannot be opened (${code})`;
  }
}

function removeOthers(
  writer: IndexWriter,
  files: readonly SourcePath[],
): { readonly files: number; readonly documents: number } {
  const given = new Set(files.map(({ name }) => name));
  const gone = [...writer.sources().keys()].filter((name) => !given.has(name));
  return { files: gone.length, documents: gone.reduce((sum, name) => sum + writer.removeSource(name), 0) };
}

interface Embedding {
  readonly embedded: number;
  readonly tokens: number;
  readonly failure?: NodeError;
}

const noVectors: Embedding = { embedded: 0, tokens: 0 };
/** Texts that are embedded, and kept, at once. */
const batchSize = 512;

async function embedAll(
  database: DatabaseSync,
  writer: IndexWriter,
  { openEmbedder, signal, onProgress }: BuildOptions,
): Promise<Embedding> {
  const total = openEmbedder === undefined ? 0 : writer.countUnembedded();
  if (openEmbedder === undefined || total === 0) return noVectors;
  const embedder = await openEmbedder();
  if (typeof embedder === 'string') return { ...noVectors, failure: failureOf(embedder) };
  const made = settingOfVectors(database, 'embedder');
  if (made !== undefined && made !== embedder.model) return { ...noVectors, failure: otherModel(made, embedder.model) };
  writeSetting(database, 'embedder', embedder.model);
  let embedded = 0;
  let tokens = 0;
  for (let batch = writer.unembedded(batchSize); batch.length > 0; batch = writer.unembedded(batchSize)) {
    onProgress?.({ stage: 'embed', done: embedded, total });
    const result = await embedder.embed(
      batch.map(({ text }) => text),
      'document',
      signal,
    );
    if (!result.ok) return { embedded, tokens, failure: result.error };
    const wrong = wrongLength(database, result.vectors);
    if (wrong !== undefined) return { embedded, tokens, failure: wrong };
    writeSetting(database, 'dimensions', String(result.vectors[0]?.length));
    writer.putVectors(batch.map((one, index) => ({ ...one, vector: result.vectors[index] ?? new Float32Array() })));
    embedded += batch.length;
    tokens += result.usage?.totalTokens ?? 0;
  }
  onProgress?.({ stage: 'embed', done: embedded, total });
  return { embedded, tokens };
}

/** Vectors are of the length of the first one that was ever made. */
function wrongLength(database: DatabaseSync, vectors: readonly Float32Array[]): NodeError | undefined {
  const kept = settingOfVectors(database, 'dimensions');
  const dimensions = Number(kept ?? vectors[0]?.length);
  const other = vectors.find(({ length }) => length !== dimensions || length === 0);
  if (other === undefined) return undefined;
  return failureOf(
    kept === undefined
      ? `the model gave a vector of ${other.length} numbers; its first one has ${dimensions}`
      : `the model gave a vector of ${other.length} numbers; those in the index have ${dimensions}`,
  );
}

/** A model that made no vector may be followed by any other. */
function settingOfVectors(database: DatabaseSync, name: string): string | undefined {
  return hasVectors(database) ? readSetting(database, name) : undefined;
}

function failureOf(message: string): NodeError {
  return { code: 'EmbeddingError', message, retryable: false };
}

function otherModel(made: string, given: string): NodeError {
  return failureOf(
    `the vectors of the index were made by ${made}; ${given} makes others: build it again with --rebuild`,
  );
}

/** What the offline embedder is to know of the documents: learned once, when an index is first built. */
export function rarityOfIndex(database: DatabaseSync): string {
  const known = readSetting(database, 'rarity');
  if (known !== undefined) return known;
  const rarity = stringifyRarity(learnRarity(textsOf(database)));
  writeSetting(database, 'rarity', rarity);
  return rarity;
}

function* textsOf(database: DatabaseSync): Generator<string> {
  for (const { title, text } of database.prepare('SELECT title, text FROM documents ORDER BY name').iterate()) {
    yield embeddedText({ ...(title === null ? {} : { title: String(title) }), text: String(text) });
  }
}
