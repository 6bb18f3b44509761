import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '@unroll/engine';
import { type FailureKind, ProjectFailure } from './project-failure.ts';
import type { System } from './project-host.ts';
import { reasonOf, writeRefusal } from './refusal.ts';

/** Why a file or folder that was asked for is not there; `failed` where something ran before. */
export function outputNotWritable(path: string, error: unknown, kind: FailureKind = 'wrong'): ProjectFailure {
  return new ProjectFailure(`${path} cannot be written: ${reasonOf(error)}`, { code: 'OutputNotWritable', kind });
}

/**
 * Writes a file that was asked for, and makes the folders above it.
 *
 * @param path as given
 * @throws ProjectFailure when it cannot be written
 */
export function writeOutputFile(path: string, content: string | Uint8Array, system: Pick<System, 'folder'>): void {
  makePlace(path, system);
  try {
    writeFileSync(resolve(system.folder, path), content);
  } catch (error) {
    throw outputNotWritable(path, error);
  }
}

/**
 * Makes the folders above a file that is to be written.
 *
 * @param path as given
 * @throws ProjectFailure where no file can be written there
 */
export function makePlace(path: string, { folder }: Pick<System, 'folder'>): void {
  const file = resolve(folder, path);
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw outputNotWritable(path, error);
  }
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  const refusal = isFolder ? 'it is a folder' : writeRefusal(file);
  if (refusal !== undefined) throw outputNotWritable(path, refusal);
}

/**
 * @param path as given
 * @throws ProjectFailure where something is there that is no empty folder
 */
export function requireEmptyFolder(path: string, { folder }: Pick<System, 'folder'>, help: string): void {
  const there = resolve(folder, path);
  if (!existsSync(there)) return;
  if (!statSync(there).isDirectory()) throw new ProjectFailure(`${path} is a file, not an empty folder`, { help });
  if (readdirSync(there).length > 0) throw new ProjectFailure(`${path} is not empty`, { help });
}
