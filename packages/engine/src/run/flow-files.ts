import { isUtf8 } from 'node:buffer';
import {
  accessSync,
  constants,
  type Dirent,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FlowFiles } from '../node/node-type.ts';
import type { SourceFile } from '../source/source-file.ts';

const maxListed = 2000;
const leftOut = new Set(['node_modules', '.git', '.flow', '.promptflow', '__pycache__', '.venv']);

/** Where a flow lies. */
export interface FlowPlace {
  /** What defines it, absolute. */
  readonly file: string;
  /** Absolute. */
  readonly folder: string;
  /** Texts that are read in the place of those of files, by their absolute paths: a change that stands in no file yet. */
  readonly edits?: ReadonlyMap<string, string> | undefined;
}

/** What defines the flow. */
export function readDefinition({ file, edits }: FlowPlace, shownFrom: string): SourceFile {
  return edited(file, readSourceFile(file, shownFrom), edits);
}

/** The same files, read as they are edited. */
export function withEdits(files: FlowFiles, edits: FlowPlace['edits']): FlowFiles {
  if (edits === undefined || edits.size === 0) return files;
  return {
    ...files,
    read: (path) => {
      const source = files.read(path);
      return source === undefined ? undefined : edited(files.resolve(path) ?? '', source, edits);
    },
  };
}

function edited(path: string, source: SourceFile, edits: FlowPlace['edits']): SourceFile {
  const text = edits?.get(path);
  return text === undefined ? source : { path: source.path, text };
}

/**
 * The files of a flow's folder. Paths that lead out of it, by `..` or through a link, are not read.
 *
 * @param folder absolute
 * @param shownFrom folder that shown paths are relative to, absolute
 */
export function createFlowFiles(folder: string, shownFrom: string): FlowFiles {
  const inside = (path: string): string | undefined => {
    const full = resolve(folder, path);
    if (!contains(folder, full)) return undefined;
    if (!existsSync(full)) return full;
    return contains(realpathSync(folder), realpathSync(full)) ? full : undefined;
  };
  return {
    folder,
    resolve: inside,
    read: (path) => {
      const full = inside(path);
      if (full === undefined || !isFile(full)) return undefined;
      return readSourceFile(full, shownFrom);
    },
    list: () => listFiles(folder),
    readImported: (path) => {
      const full = resolve(folder, path);
      return inside(path) === undefined && isImported(full, folder) ? readSourceFile(full, shownFrom) : undefined;
    },
  };
}

/** Longer code is hardly the author's own. */
const longestImported = 1_000_000;

/** What a link leads to imports from where it lies, and not from where the link does: it is not followed. */
function isImported(path: string, folder: string): boolean {
  if (!isFile(path) || statSync(path).size > longestImported || !isReadable(path)) return false;
  const real = realpathSync(path);
  return real === path || relative(realpathSync(folder), real) === relative(folder, path);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A text file as a source, with a byte order mark left out. */
export function readSourceFile(path: string, shownFrom: string): SourceFile {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const isBroken = text.includes('\uFFFD') && !isUtf8(bytes);
  return { path: shownPath(path, shownFrom), text, ...(isBroken ? { isUtf8: false } : {}) };
}

function shownPath(path: string, shownFrom: string): string {
  const shown = relative(shownFrom, path);
  return (shown.startsWith(`..${sep}..${sep}`) ? path : shown).replaceAll(sep, '/');
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Of paths that are too long, hold a zero byte, or lead over links in a circle. */
const namesNothing = new Set(['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE', 'ELOOP']);

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (namesNothing.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function listFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const folders = [''];
  for (let way = folders.pop(); way !== undefined && found.length < maxListed; way = folders.pop()) {
    const { files, inner } = entriesOf(folder, way);
    found.push(...files);
    folders.push(...inner);
  }
  return found.sort();
}

/** What lies in a folder; nothing where it may not be read: names are listed to suggest them. */
function readable(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function entriesOf(
  folder: string,
  way: string,
): { readonly files: readonly string[]; readonly inner: readonly string[] } {
  const entries = readable(join(folder, way)).filter(({ name }) => !leftOut.has(name));
  const wayTo = (name: string): string => (way === '' ? name : `${way}/${name}`);
  return {
    files: entries.filter((entry) => !entry.isDirectory()).map(({ name }) => wayTo(name)),
    inner: entries.filter((entry) => entry.isDirectory()).map(({ name }) => wayTo(name)),
  };
}
