import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that one entry of `additional_includes` may bring, and their bytes. */
const maxIncludedFiles = 10_000;
const maxIncludedBytes = 1e9;

/** What an include holds, by paths within it; `''` where it is one file. */
export interface WalkedInclude {
  readonly files: readonly string[];
  /** What is neither a file nor a folder, or cannot be read, and is left out: its path, and what it is. */
  readonly leftOut: readonly { readonly path: string; readonly what: string }[];
  /** Which bound was reached: nothing of the include is used then. */
  readonly tooMuch?: string;
}

const notTaken = new Set(['node_modules', '.git', '.flow', '.promptflow', '__pycache__', '.venv']);

/** Looks through a file or folder, no further than what an include may hold. Links within a folder lead to files only. */
export function walkInclude(from: string): WalkedInclude {
  const files: string[] = [];
  const leftOut: { path: string; what: string }[] = [];
  let bytes = 0;
  const ways = [''];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const found = look(join(from, way));
    if ('what' in found) leftOut.push({ path: way, what: found.what });
    else if (found.names === undefined) {
      files.push(way);
      bytes += found.bytes;
    } else ways.push(...found.names.map((name) => (way === '' ? name : `${way}/${name}`)));
    const tooMuch = boundOf(files.length + ways.length, bytes);
    if (tooMuch !== undefined) return { files: [], leftOut: [], tooMuch };
  }
  return { files: files.sort(), leftOut };
}

function boundOf(count: number, bytes: number): string | undefined {
  if (count > maxIncludedFiles) return `more than ${maxIncludedFiles.toLocaleString('en')} files`;
  return bytes > maxIncludedBytes ? `more than ${maxIncludedBytes / 1e9} GB` : undefined;
}

type Looked = { readonly names: readonly string[] | undefined; readonly bytes: number } | { readonly what: string };

function look(path: string): Looked {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return { names: undefined, bytes: stats.size };
    if (!stats.isDirectory()) return { what: kindOf(stats) };
    const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !notTaken.has(name));
    // A link to a folder may lead round in a circle.
    const isCircle = (name: string): boolean =>
      statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory() === true;
    const names = entries.filter((entry) => !entry.isSymbolicLink() || !isCircle(entry.name)).map(({ name }) => name);
    return { names, bytes: 0 };
  } catch (thrown) {
    return { what: `not readable (${(thrown as NodeJS.ErrnoException).code ?? 'error'})` };
  }
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
