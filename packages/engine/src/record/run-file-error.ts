import { accessSync, constants } from 'node:fs';
import { refusalOf } from '../source/refusal.ts';
import type { RowId } from './run-comparison.ts';

/** Raised when a record file is none of ours, was written by a newer release, is damaged, or cannot be read or written. */
export class RunFileError extends Error {
  /** Why, without the file's name. */
  readonly reason: string;
  constructor(message: string, reason: string = message, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Raised when a record file is not there any more, or another one is, while it is written. */
export class RunFileLostError extends RunFileError {}

/** What of a record file cannot be read, in one sentence that names the file; which row it is of, where that is known. */
export interface RunDamage {
  readonly message: string;
  readonly row?: RowId;
  /** Only what comparisons read of the row is damaged: whatever else is recorded of it can be read. */
  readonly isOfDigests?: boolean;
}

/** What is done about damage; without it damage is thrown. */
export type OnDamage = (damage: RunDamage) => void;

/** Raised where something damaged was asked for. */
export class RunDamageError extends RunFileError implements RunDamage {
  readonly row?: RowId;
  constructor({ message, row }: RunDamage) {
    super(message);
    if (row !== undefined) this.row = row;
  }
}

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html. */
const reasons: Readonly<Record<number, string>> = {
  3: 'the file may not be opened',
  5: 'another process is writing the file',
  8: 'the file may not be written',
  10: 'the disk gave an error, or files may not grow that large',
  13: 'the disk is full',
  14: 'no file can be opened or made there',
};
/** What kept SQLite from writing or reading a file; undefined for any other error. */
export function sqliteReason(thrown: unknown): string | undefined {
  const { errcode } = (thrown ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? reasons[errcode & 0xff] : undefined;
}

const ioError = 10;
const shortRead = ioError + 2 * 256;
const corrupt = 11;
const cannotOpen = 14;
const noDatabase = 26;

/** What SQLite refused, as one sentence that names the file. Any other error is thrown again. */
export function runFileError(doing: 'write' | 'read', path: string, cause: unknown): RunFileError {
  if (cause instanceof RunFileError) return cause;
  const { code, errcode, message = '' } = cause as Readonly<{ code?: string; errcode?: number; message?: string }>;
  // A number that Node cannot hand over exactly: none such is ever written.
  if (code === 'ERR_OUT_OF_RANGE')
    return new RunDamageError({ message: `the run record ${path} is damaged: ${message}` });
  if (errcode === undefined) throw cause;
  const primary = errcode & 0xff;
  if (primary === noDatabase) return new RunFileError(`${path} is no run record: ${message}`, message, { cause });
  // Nothing else can be read there either: who reads goes on without it, as where a page is damaged.
  if (doing === 'read' && primary === ioError) return new RunDamageError({ message: unreadText(path, errcode) });
  const reason = reasonOf(primary, path);
  if (primary === corrupt || (doing === 'read' && reason === undefined)) {
    return new RunDamageError({ message: `the run record ${path} is damaged: ${message}` });
  }
  const what = doing === 'write' ? 'written' : 'read';
  return new RunFileError(`the run record ${path} cannot be ${what}: ${reason ?? message}`, reason ?? message, {
    cause,
  });
}

function reasonOf(primary: number, path: string): string | undefined {
  return (primary === cannotOpen ? unopened(path) : undefined) ?? reasons[primary];
}

/** Why the system does not let a file be read; undefined where it does, or there is none. */
export function unopened(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

function unreadText(path: string, errcode: number): string {
  return errcode === shortRead
    ? `the run record ${path} is damaged: it ends in the middle of a page`
    : `the run record ${path} cannot be read: the disk gave an error`;
}
