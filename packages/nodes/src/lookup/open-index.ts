import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, nearestName, placeOf, type SourceFile } from '@unroll/engine';
import { IndexError } from './index-error.ts';
import { createKeywordIndex, type KeywordIndex } from './keyword-index.ts';
import { documentExtensions, readDocuments } from './read-documents.ts';

/**
 * Opens the search index over a `.jsonl`, `.json` or `.md` file, or over all such files of a folder. It is worked out
 * once and again only after a file has changed, so opening it in every call is cheap.
 *
 * @param path absolute, relative to the working directory, or a `file:` URL: `new URL('knowledge/faq.jsonl', import.meta.url)`
 * @throws IndexError when nothing is there, or when a document cannot be read
 */
export function openIndex(path: string | URL): KeywordIndex {
  const file = path instanceof URL ? fileURLToPath(path) : path;
  const files = indexFiles(file);
  const state = files.map((name) => `${name}:${stampOf(name)}`).join('\n');
  const known = opened.get(file);
  if (known?.state === state) return known.index;
  const index = buildIndex(files.map((name) => ({ path: shownPath(name), text: readFileSync(name, 'utf8') })));
  opened.set(file, { state, index });
  return index;
}

/** Whether a file's name is that of a file of documents. */
export function holdsDocuments(path: string): boolean {
  return documentExtensions.some((extension) => path.endsWith(extension));
}

const opened = new Map<string, { readonly state: string; readonly index: KeywordIndex }>();

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
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(holdsDocuments).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new IndexError('IndexNotFound', `no ${documentExtensions.join(', ')} file in ${shownPath(path)}`);
}

function notFound(path: string): string {
  const siblings = statSync(dirname(path), { throwIfNoEntry: false }) === undefined ? [] : readdirSync(dirname(path));
  const nearest = nearestName(basename(path), siblings);
  const help = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `no index at ${shownPath(path)}${help}`;
}

function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs}:${size}`;
}

function buildIndex(files: readonly SourceFile[]): KeywordIndex {
  const read = files.map(readDocuments);
  const mistakes = read.flatMap((one) => one.diagnostics);
  if (mistakes.length > 0) throw new IndexError('IndexInvalid', mistakes.map(printMistake).join('\n'));
  return createKeywordIndex(read.flatMap((one) => one.documents));
}

function printMistake({ span, message }: Diagnostic): string {
  return span === undefined ? message : `${span.file.path}:${placeOf(span.file, span.start).line}: ${message}`;
}

function shownPath(path: string): string {
  const shown = relative('', path);
  return shown.startsWith('..') ? path : shown;
}
