import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '@unroll/engine';
import { ProjectFailure } from './project-failure.ts';
import type { System } from './project-host.ts';
import { reasonOf, writeRefusal } from './refusal.ts';
import type { ShownFile } from './with-file-lock.ts';

/** No other path would have helped. */
const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/** Why a file or folder that was asked for is not there; `failed` where the disk is full. */
export function outputNotWritable(path: string, error: unknown): ProjectFailure {
  const kind = error instanceof Error && 'code' in error && fullDisk.has(String(error.code)) ? 'failed' : 'wrong';
  return new ProjectFailure(`${path} cannot be written: ${reasonOf(error)}`, { code: 'OutputNotWritable', kind });
}

/**
 * Writes a file that was asked for, and makes the folders above it.
 *
 * @param path as given
 * @throws ProjectFailure when it cannot be written; what stood there before then stands there still
 */
export function writeOutputFile(path: string, content: string | Uint8Array, { folder }: Pick<System, 'folder'>): void {
  writeShownFile({ file: resolve(folder, path), shown: path }, content);
}

/** The same of a file that is told of otherwise than it is opened. */
export function writeShownFile({ file, shown }: ShownFile, content: string | Uint8Array): void {
  const output = beginOutputFile(file, { folder: '/' }, shown);
  try {
    writeFileSync(output.written, content);
    output.finish();
  } catch (error) {
    output.discard();
    throw outputNotWritable(shown, error);
  }
}

/** A file that is written beside the one that was asked for, and takes its place when it is whole. */
export interface OutputFile {
  /** Absolute; where it is to be written. */
  readonly written: string;
  /** Puts it where it was asked for. */
  finish(): void;
  /** Takes away what was written of it. */
  discard(): void;
}

/**
 * Begins a file that was asked for, and makes the folders above it. What is there and no file (a pipe, a device) is written itself.
 *
 * @param path as given
 * @param shown as a person would type it
 * @throws ProjectFailure where no file can be written there
 */
export function beginOutputFile(path: string, system: Pick<System, 'folder'>, shown: string = path): OutputFile {
  makePlace(path, system, shown);
  const file = resolve(system.folder, path);
  const known = statSync(file, { throwIfNoEntry: false });
  const target = known === undefined ? file : realpathSync(file);
  const isBeside = known?.isFile() !== false && writeRefusal(dirname(target)) === undefined;
  if (!isBeside) return { written: target, finish: () => undefined, discard: () => undefined };
  // A name that nobody has: what stands beside the file is not ours, and may be a link that leads elsewhere.
  const written = `${target}.${randomBytes(6).toString('hex')}.new`;
  const finish = (): void => {
    if (known !== undefined) chmodSync(written, known.mode);
    replace(target, written);
  };
  return { written, finish, discard: () => rmSync(written, { force: true }) };
}

/** A file that is mounted by itself cannot be replaced, only filled. */
function replace(target: string, written: string): void {
  try {
    renameSync(written, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    copyFileSync(written, target);
    rmSync(written);
  }
}

/**
 * Makes the folders above a file that is to be written.
 *
 * @param path as given
 * @param shown as a person would type it
 * @throws ProjectFailure where no file can be written there
 */
export function makePlace(path: string, { folder }: Pick<System, 'folder'>, shown: string = path): void {
  const file = resolve(folder, path);
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw outputNotWritable(shown, error);
  }
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  const refusal = isFolder ? 'it is a folder' : writeRefusal(file);
  if (refusal !== undefined) throw outputNotWritable(shown, refusal);
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
