import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { makeFolder } from '@unroll/engine';
import { type FoundFlow, ProjectFailure } from '@unroll/project';
import { type BundleFile, type BundleManifest, damagedBundle, digestOf } from './flow-bundle.ts';

/** A bundle on the disk of a worker. */
export interface UnpackedBundle {
  /** Folder of the bundle, absolute, from which its files are shown. */
  readonly root: string;
  readonly found: FoundFlow;
  /** Path of the file that answers calls of models, absolute. */
  readonly cassette: string | undefined;
}

/**
 * Writes a bundle into the cache, where it is not there already. It is written under another name first, so that a worker that dies
 * meanwhile, or another one on this machine, leaves no half of it.
 *
 * @throws ProjectFailure where a file is not what its digest says, or leads out of the bundle
 */
export async function unpackBundle(
  id: string,
  { flow, files, cassette }: BundleManifest,
  cache: string,
  contentOf: (file: BundleFile) => Promise<Uint8Array>,
): Promise<UnpackedBundle> {
  const root = join(cache, 'bundles', id);
  inside(root, dirname(flow));
  const found = { file: join(root, flow), folder: join(root, dirname(flow)) };
  const unpacked = { root, found, cassette: cassette === undefined ? undefined : `${root}.cassette` };
  if (existsSync(root)) return unpacked;
  const partial = `${root}.${randomUUID()}.part`;
  try {
    const folder = inside(partial, dirname(flow));
    const write = async (file: BundleFile, path: string): Promise<void> => {
      const bytes = await contentOf(file);
      if (digestOf(bytes) !== file.digest) throw damagedBundle(`${file.path} is not what was sent`);
      makeFolder(dirname(path));
      writeFileSync(path, bytes);
    };
    for (const file of files) await write(file, inside(folder, file.path));
    // Beside the flow's folder: what the flow sees there is the same as elsewhere.
    if (cassette !== undefined) await writePlaced(`${root}.cassette`, (path) => write(cassette, path));
    takePlace(partial, root);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return unpacked;
}

/** Written whole or not at all; what is there already is the same. */
async function writePlaced(path: string, write: (file: string) => Promise<void>): Promise<void> {
  const partial = `${path}.${randomUUID()}.part`;
  await write(partial);
  renameSync(partial, path);
}

/** Where another worker of this machine was quicker, its folder holds the same. */
function takePlace(partial: string, root: string): void {
  try {
    renameSync(partial, root);
  } catch (error) {
    if (!existsSync(root)) throw error;
  }
}

function inside(folder: string, path: string): string {
  const full = resolve(folder, path);
  if (full === folder || full.startsWith(folder + sep)) return full;
  throw new ProjectFailure(`the file ${basename(path)} of a bundle leads out of it`, { kind: 'failed' });
}
