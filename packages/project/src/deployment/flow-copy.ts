import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createFlowFiles, flowFilesOf, zipFolder } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';

/** The files of a flow that go elsewhere, with those it includes. */
export interface FlowCopy {
  /** Content by path in the flow's folder, `/` between folders. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What stays here, and why. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  /** Path in the flow's folder. */
  readonly path: string;
  readonly why: string;
}

/** Bytes of all files together, which are held while secrets are looked for. */
const maxBytes = 256 * 2 ** 20;

/**
 * What a flow needs elsewhere. Hidden files, files of keys, descriptions of connections and what tools fill stay here.
 *
 * @throws ProjectFailure where the files are too large to go elsewhere
 */
export function copyFlow(found: FoundFlow, shownFrom: string): FlowCopy {
  const { includes } = flowFilesOf(found, shownFrom);
  const files = new Map<string, Uint8Array>();
  const leftOut: LeftOut[] = [];
  let left = maxBytes;
  const take = (path: string, from: string): void => {
    const size = existsSync(from) ? statSync(from).size : 0;
    if (size > left && !isHidden(path)) throw tooLarge(path, size);
    const why = whyNot(path, from);
    if (why === undefined) {
      files.set(path, readFileSync(from));
      left -= size;
    } else leftOut.push({ path, why });
  };
  const own = createFlowFiles(found.folder, shownFrom);
  for (const path of walk(found.folder, '', leftOut)) {
    const from = own.resolve(path);
    if (from === undefined) leftOut.push({ path, why: 'leads out of the folder' });
    else if (!includes.files.has(path)) take(path, from);
  }
  for (const [path, from] of includes.files) take(path, from);
  for (const [path, from] of includes.archives) files.set(path, zipFolder(from));
  return { files, leftOut };
}

function tooLarge(path: string, size: number): ProjectFailure {
  const [most, own] = [maxBytes, size].map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`);
  return new ProjectFailure(`the flow has more than ${most} of files: ${path}, which has ${own}, is too much`, {
    code: 'FlowTooLarge',
    help: 'Keep outside the folder what the flow does not read there.',
  });
}

/** Paths of all files in a folder, those in folders that stay here apart. */
function walk(folder: string, way: string, leftOut: LeftOut[]): readonly string[] {
  return readdirSync(join(folder, way), { withFileTypes: true }).flatMap((entry) => {
    const path = way === '' ? entry.name : `${way}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    if (!isHidden(path) && !filled.has(entry.name)) return walk(folder, path, leftOut);
    if (!filled.has(entry.name)) leftOut.push({ path, why: 'is hidden' });
    return [];
  });
}

/** Folders that tools fill, and fill again elsewhere. */
const filled: ReadonlySet<string> = new Set(['node_modules', '__pycache__', '.git', '.flow', '.promptflow', '.venv']);

function whyNot(path: string, from: string): string | undefined {
  const name = basename(path);
  if (isHidden(path)) return 'is hidden';
  // A link may lead nowhere, or in a circle.
  if (existsSync(from) && statSync(from).isDirectory()) return 'leads to a folder';
  if (!existsSync(from) || !statSync(from).isFile()) return 'is no file';
  if (/\.(?:pem|key|pfx|p12|jks|keystore|kdbx)$|^id_(?:rsa|dsa|ecdsa|ed25519)$|^local\.settings\.json$/i.test(name))
    return 'is a file of keys';
  if (/^connections\.ya?ml$/.test(name)) return 'describes connections';
  return /\.ya?ml$/.test(name) && /Connection\.schema\.json\b/.test(readFileSync(from, 'utf8'))
    ? 'describes connections'
    : undefined;
}

function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}
