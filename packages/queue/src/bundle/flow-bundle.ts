import { createHash } from 'node:crypto';
import { basename, sep } from 'node:path';
import { shownPath } from '@unroll/engine';
import { type FlowCopy, type FoundFlow, ProjectFailure } from '@unroll/project';
import * as z from 'zod';

/** A flow as it goes to workers: the files of its folder by their digests. The same files make the same bundle. */
export interface BundleManifest {
  /** Path of the flow's file as its user sees it, `/` between folders; the files lie beside it. */
  readonly flow: string;
  /** Sorted by path. */
  readonly files: readonly BundleFile[];
  /** What answers its calls of models, where they are not made: its digest is that of a file which lies beside the flow's folder. */
  readonly cassette?: BundleFile;
}

export interface BundleFile {
  /** In the folder of the flow, `/` between folders. */
  readonly path: string;
  /** SHA-256 of its bytes, 64 hexadecimal digits. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

export interface FlowBundle {
  /** SHA-256 of the manifest, 64 hexadecimal digits. */
  readonly id: string;
  readonly manifest: BundleManifest;
  /** By digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Bytes of all files of a bundle together. */
const maxBytes = 50 * 2 ** 20;

/** Files that a refusal names. */
const maxNamed = 5;

/**
 * @param folder that shown paths are seen from, absolute
 * @param cassette bytes of the cassette that answers its calls of models
 * @throws ProjectFailure where the files are too large, with the largest of them
 */
export function bundleFlow(copy: FlowCopy, found: FoundFlow, folder: string, cassette?: Uint8Array): FlowBundle {
  const contents = new Map<string, Uint8Array>();
  const put = ([path, bytes]: readonly [string, Uint8Array]): BundleFile => {
    const digest = digestOf(bytes);
    contents.set(digest, bytes);
    return { path, digest, size: bytes.length };
  };
  const files = [...copy.files].sort(byPath).map(put);
  const answers = cassette === undefined ? {} : { cassette: put(['the cassette', cassette]) };
  const manifest = { flow: flowInBundle(found, folder), files, ...answers };
  refuseTooLarge(allFiles(manifest));
  return { id: manifestDigest(manifest), manifest, contents };
}

function allFiles({ files, cassette }: BundleManifest): readonly BundleFile[] {
  return cassette === undefined ? files : [...files, cassette];
}

/** The database keeps what a manifest says, and not in which order. */
function manifestDigest({ flow, files, cassette }: BundleManifest): string {
  const written = ({ path, digest, size }: BundleFile): BundleFile => ({ path, digest, size });
  const answers = cassette === undefined ? {} : { cassette: written(cassette) };
  return digestOf(Buffer.from(JSON.stringify({ flow, files: files.map(written), ...answers })));
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const bundleFile = z.object({ path: z.string(), digest, size: z.int().min(0).max(maxBytes) });
const manifest = z.object({ flow: z.string(), files: z.array(bundleFile), cassette: bundleFile.optional() });

/**
 * A manifest from the database, where whoever may write there may write anything.
 *
 * @returns undefined where it is not the one that was sent under this id
 */
export function readManifest(id: string, given: unknown): BundleManifest | undefined {
  const read = manifest.safeParse(given);
  if (!read.success) return undefined;
  const { cassette, ...sent } = read.data;
  const found: BundleManifest = { ...sent, ...(cassette === undefined ? {} : { cassette }) };
  return manifestDigest(found) !== id || totalSize(allFiles(found)) > maxBytes ? undefined : found;
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** As shown, where it lies below the folder: messages of a worker then name files as messages here do. */
function flowInBundle({ file, folder: flowFolder }: FoundFlow, folder: string): string {
  const shown = shownPath(file, folder).replaceAll(sep, '/');
  const isBelow = !shown.startsWith('../') && !shown.startsWith('/') && !/^[a-z]:/i.test(shown);
  return isBelow ? shown : `${basename(flowFolder)}/${basename(file)}`;
}

function refuseTooLarge(files: readonly BundleFile[]): void {
  const total = totalSize(files);
  if (total <= maxBytes) return;
  const largest = files.toSorted((one, other) => other.size - one.size).slice(0, maxNamed);
  const named = largest.map(({ path, size }) => `  ${megabytes(size)}  ${path}`);
  throw new ProjectFailure(
    `the flow has ${megabytes(total)} of files, and at most ${megabytes(maxBytes)} go to workers`,
    {
      code: 'BundleTooLarge',
      help: `The largest:\n${named.join('\n')}\nKeep outside the folder what the flow does not read there.`,
    },
  );
}

export function damagedBundle(what: string): ProjectFailure {
  return new ProjectFailure(`the bundle of the flow is damaged: ${what}`, { kind: 'failed' });
}

function totalSize(files: readonly BundleFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
