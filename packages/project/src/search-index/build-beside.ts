import { existsSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { IndexError, type KeptEmbedder, openIndexDatabase, readIndexSettings } from '@unroll/nodes/build-index';

/**
 * Where an index is made again: beside the one before, which is searched until the new one is whole. What a build left there that
 * did not come to its end goes on, where its vectors are of the same model.
 *
 * @param path of the index, absolute, or of a link to it, which stays one
 */
export function placeBeside(path: string, embedder: KeptEmbedder | undefined): string {
  const place = `${behindLink(path)}.building`;
  if (existsSync(place) && !isMadeWith(place, embedder)) removeIndexFile(place);
  return place;
}

function behindLink(path: string): string {
  return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
}

function isMadeWith(place: string, embedder: KeptEmbedder | undefined): boolean {
  try {
    const database = openIndexDatabase(place, 'read');
    try {
      return isSameEmbedder(readIndexSettings(database).embedder, embedder);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof IndexError) return false;
    throw error;
  }
}

function isSameEmbedder(one: KeptEmbedder | undefined, other: KeptEmbedder | undefined): boolean {
  return one?.connection === other?.connection && one?.model === other?.model && one?.dimensions === other?.dimensions;
}

/** What made the vectors of an index; absent too of a file that is none. */
function embedderOf(path: string): KeptEmbedder | undefined {
  try {
    const database = openIndexDatabase(path, 'read');
    try {
      return readIndexSettings(database).embedder;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof IndexError) return undefined;
    throw error;
  }
}

/**
 * Puts an index that was made beside another in its place.
 *
 * @returns what had made the vectors of the other, where the new one has none
 */
export function takePlace(place: string, path: string): { readonly withoutVectors?: KeptEmbedder } {
  const real = behindLink(path);
  const [before, now] = [embedderOf(real), embedderOf(place)];
  removeKeptBeside(real);
  renameSync(place, real);
  return before === undefined || now !== undefined ? {} : { withoutVectors: before };
}

function removeIndexFile(path: string): void {
  rmSync(path, { force: true });
  removeKeptBeside(path);
}

/** What SQLite kept beside a file would be taken for a part of the one that comes to its place. */
export function removeKeptBeside(path: string): void {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}
