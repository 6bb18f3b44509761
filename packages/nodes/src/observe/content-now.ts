import { createHash } from 'node:crypto';
import { type BigIntStats, type Dirent, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Functions of `node:fs` as they were before anybody put others in their place: what we read with them is not seen. */
export const files = { readdirSync, readFileSync, readlinkSync, statSync };

/** Files larger than this are told by size and time of change: reading them would take longer than running. */
const largestRead = 64 * 2 ** 20;
/** Of a folder with all below it, so many names are looked at. */
const maxNames = 10_000;
/** Of a folder that is copied, so many files are looked at. */
const maxFiles = 1000;

export const missing = 'missing';

const known = new Map<string, { readonly stamp: string; readonly digest: string }>();
const maxKnown = 10_000;

/** What is at a path: a digest of what a file holds, `folder`, `no file` or `missing`. */
export function contentNow(path: string): string {
  const stat = statOf(path);
  if (stat === undefined) return missing;
  if (stat.isDirectory()) return 'folder';
  return stat.isFile() ? fileDigest(path, stat) : 'no file';
}

/** Where a link leads, whatever lies there; `missing` where there is none. */
export function linkNow(path: string): string {
  try {
    return hash(files.readlinkSync(path));
  } catch {
    return missing;
  }
}

/** A digest of a text of the user's, whatever its line ends are. */
export function textNow(path: string): string {
  if (statOf(path)?.isFile() !== true) return missing;
  return hash(files.readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
}

/** Digest of the names in a folder, in the order of their bytes. */
export function namesNow(path: string): string {
  try {
    return namesDigest(entriesIn(path).map(nameAndKind));
  } catch {
    return missing;
  }
}

/** What stands for more names than are looked at. */
export const tooMany = 'too many';

/** Digest of all names below a folder; `too many` where they are. */
export function allNamesNow(path: string): string {
  const found: string[] = [];
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next)) {
      const inner = join(next, entry.name);
      const way = relative(path, inner).replaceAll(sep, '/');
      found.push(entry.isDirectory() ? `${way}/` : way);
      if (entry.isDirectory()) open.push(inner);
    }
    if (found.length > maxNames) return tooMany;
  }
  return namesDigest(found);
}

/** A file that became a folder of the same name counts. */
function nameAndKind(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return entriesIn(folder);
  } catch {
    return [];
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  return files.readdirSync(folder, { withFileTypes: true });
}

/** All files below a folder; undefined where they are too many. */
export function filesBelow(folder: string): readonly string[] | undefined {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next)) (entry.isDirectory() ? open : found).push(join(next, entry.name));
    if (found.length > maxFiles) return undefined;
  }
  return found;
}

function namesDigest(names: readonly string[]): string {
  const sorted = names.map((name) => Buffer.from(name)).sort(Buffer.compare);
  return hash(sorted.map((name) => name.toString()).join('\n'));
}

function statOf(path: string): Stats | undefined {
  try {
    return files.statSync(path);
  } catch {
    return undefined;
  }
}

/** A file that was not touched since is not read again. */
function fileDigest(path: string, stat: Stats | BigIntStats): string {
  const { size, mtimeMs, ctimeMs, ino } = stat;
  const stamp = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
  const last = known.get(path);
  if (last?.stamp === stamp) return last.digest;
  const digest = readDigest(path, stat);
  if (known.size >= maxKnown) known.clear();
  known.set(path, { stamp, digest });
  return digest;
}

function readDigest(path: string, { size, mtimeMs }: Stats | BigIntStats): string {
  if (size > largestRead) return hash(`${size} ${Math.round(Number(mtimeMs))}`);
  try {
    return createHash('sha256').update(files.readFileSync(path)).digest('hex').slice(0, 32);
  } catch {
    return 'not readable';
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
