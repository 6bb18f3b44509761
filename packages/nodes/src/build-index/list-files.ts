import { readdirSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { readableExtensions } from '../documents/read-file.ts';

/** A file to be read, and how documents and messages call it. */
export interface SourcePath {
  /** Absolute. */
  readonly path: string;
  /** From above the folder that was given, `docs/guide.md`; a file that was given has its own name. */
  readonly name: string;
}

export interface ListedFiles {
  readonly files: readonly SourcePath[];
  /** Roots that are not there. */
  readonly missing: readonly string[];
  /** Names that more than one file would have. */
  readonly repeated: readonly string[];
  /** Files in folders that are of no known kind. */
  readonly skipped: number;
}

const leftOut = new Set(['node_modules', '__pycache__']);

/**
 * The files below some files and folders, each once, in order. Hidden files and folders are left out.
 *
 * @param roots absolute
 */
export function listFiles(roots: readonly string[]): ListedFiles {
  const found = new Map<string, SourcePath>();
  const missing: string[] = [];
  let skipped = 0;
  const take = (path: string, root: string): void => {
    if (!found.has(path)) found.set(path, { path, name: relative(dirname(root), path).replaceAll(sep, '/') });
  };
  for (const root of roots) {
    const stat = statSync(root, { throwIfNoEntry: false });
    if (stat === undefined) missing.push(root);
    else if (!stat.isDirectory()) take(root, root);
    else {
      const { readable, others } = filesBelow(root);
      for (const path of readable) take(path, root);
      skipped += others;
    }
  }
  const files = [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  const names = files.map(({ name }) => name);
  const repeated = names.filter((name, index) => names[index - 1] === name);
  return { files, missing, repeated, skipped };
}

function filesBelow(folder: string): { readonly readable: readonly string[]; readonly others: number } {
  const readable: string[] = [];
  let others = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || leftOut.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = filesBelow(path);
      readable.push(...below.readable);
      others += below.others;
    } else if (readableExtensions.includes(extname(entry.name).toLowerCase())) readable.push(path);
    else others += 1;
  }
  return { readable, others };
}
