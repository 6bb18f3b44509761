import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnostic, SearchHit, SearchOptions, SourceFile } from '@unroll/engine';
import { filesBelow, nearestName, placeOf, shownPath } from '@unroll/engine/values';
import { documentExtensions, readRecords } from '../documents/read-records.ts';
import { type EmbeddedIndex, embeddedIndex } from '../embedded-index/embedded-index.ts';
import { createIndexDatabase, type DatabaseSync, openIndexDatabase } from '../embedded-index/index-database.ts';
import { IndexError } from '../embedded-index/index-error.ts';
import { IndexWriter } from '../embedded-index/index-writer.ts';
import { defaultTopK } from './lookup-settings.ts';

/** A search index that is asked by words, and answers at once. */
export interface KeywordIndex {
  readonly size: number;
  /** Best first. */
  search(query: string, options?: KeywordOptions): readonly SearchHit[];
}

export type KeywordOptions = Partial<Pick<SearchOptions, 'topK' | 'minimumScore' | 'filter' | 'fields'>>;

/**
 * Opens an index made by `flow index build`, or makes one in memory over a `.jsonl`, `.json` or `.md` file, or over all such
 * files of a folder. It is opened once and again only after a file has changed, so opening it in every call is cheap.
 *
 * @param path absolute, relative to the working directory, or a `file:` URL: `new URL('knowledge/faq.jsonl', import.meta.url)`
 * @throws IndexError when nothing is there, or when a document cannot be read
 */
export function openIndex(path: string | URL): KeywordIndex {
  const index = openEmbedded(path instanceof URL ? fileURLToPath(path) : path);
  const known = byWords.get(index) ?? {
    size: index.size,
    search: (query, options = {}) => index.searchWords(query, { topK: defaultTopK, ...options }),
  };
  byWords.set(index, known);
  return known;
}

const byWords = new WeakMap<EmbeddedIndex, KeywordIndex>();

/**
 * The index itself, shared by all who open the same file.
 *
 * @param file absolute or relative to the working directory
 * @throws IndexError
 */
export function openEmbedded(file: string): EmbeddedIndex {
  const files = indexFiles(file);
  const state = files.map((name) => `${name}:${stampOf(name)}`).join('\n');
  const known = opened.get(file);
  if (known?.state === state) return known.index;
  const index = embeddedIndex(
    isIndexFile(file)
      ? openIndexDatabase(file, 'read')
      : inMemory(files.map((name) => ({ path: shownPath(name, process.cwd()), text: readText(name) }))),
  );
  opened.set(file, { state, index });
  return index;
}

/** Whether a file's name is that of a file of documents. */
export function holdsDocuments(path: string): boolean {
  return documentExtensions.some((extension) => path.endsWith(extension));
}

/** Whether a file's name is that of an index of `flow index build`. */
export function isIndexFile(path: string): boolean {
  return path.endsWith('.index');
}

const opened = new Map<string, { readonly state: string; readonly index: EmbeddedIndex }>();

/**
 * The files an index is made of, in the order of their names.
 *
 * @param path absolute
 * @throws IndexError when nothing is there
 */
export function indexFiles(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new IndexError('IndexNotFound', notFound(path));
  if (stat.isFile()) return [path];
  const files = filesBelow(path).filter(holdsDocuments);
  if (files.length > 0) return files;
  throw new IndexError(
    'IndexNotFound',
    `no ${documentExtensions.join(', ')} file in ${shownPath(path, process.cwd())}`,
  );
}

function notFound(path: string): string {
  const siblings = statSync(dirname(path), { throwIfNoEntry: false }) === undefined ? [] : readdirSync(dirname(path));
  const nearest = nearestName(basename(path), siblings);
  const help = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return `no index at ${shownPath(path, process.cwd())}${help}`;
}

/** Editors of Windows begin files with a byte order mark. */
function readText(file: string): string {
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}

function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs}:${size}`;
}

function inMemory(files: readonly SourceFile[]): DatabaseSync {
  const read = files.map((file) => readRecords(file));
  const mistakes = read.flatMap((one) => one.diagnostics);
  if (mistakes.length > 0) throw new IndexError('IndexInvalid', mistakes.map(printMistake).join('\n'));
  const database = createIndexDatabase(':memory:');
  const writer = new IndexWriter(database);
  for (const [at, { documents }] of read.entries()) writer.putSource(files[at]?.path ?? '', '', documents);
  return database;
}

function printMistake({ span, message }: Diagnostic): string {
  return span === undefined ? message : `${span.file.path}:${placeOf(span.file, span.start).line}: ${message}`;
}
