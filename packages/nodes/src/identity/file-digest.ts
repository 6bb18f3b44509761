import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { textHash } from '@unroll/engine/values';

/** Files larger than this are told by size and time of change: reading them would take longer than running. */
const largestRead = 64 * 2 ** 20;
/** Of a folder, so many files are looked at. */
const maxFiles = 2000;
const leftOut = new Set(['node_modules', '.git', '.flow', '.promptflow', '__pycache__', '.venv']);

/** Digest of a text file, the same whatever its line ends are. */
export function textFileDigest(path: string): string {
  return textHash(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
}

/** Digest of what a file or folder holds; undefined where there is none. When a file was touched plays no part. */
export function contentDigest(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isFile()) return fileDigest(path, stat);
  if (!stat.isDirectory()) return undefined;
  const hash = createHash('sha256');
  for (const file of filesBelow(path)) {
    const inner = statSync(file, { throwIfNoEntry: false });
    if (inner?.isFile()) hash.update(`${shown(relative(path, file))}\0${fileDigest(file, inner)}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}

function fileDigest(path: string, { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): string {
  if (size > largestRead) return textHash(`${size} ${mtimeMs}`);
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32);
}

function filesBelow(folder: string): readonly string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && found.length < maxFiles; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (leftOut.has(entry.name)) continue;
      if (entry.isDirectory()) open.push(join(next, entry.name));
      else found.push(join(next, entry.name));
    }
  }
  return found.sort();
}

/** A path as it is told: from the flow's folder, with `/`. */
export function shown(path: string): string {
  return path.replaceAll(sep, '/');
}
