/** Raised when a record file is none of ours, was written by a newer release, or cannot be read or written. */
export class RunFileError extends Error {}

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html. */
const causes: Readonly<Record<number, string>> = {
  3: 'it may not be opened',
  5: 'another process is writing it',
  8: 'it may not be written',
  10: 'the disk gave an error, or there is a limit on the size of files',
  13: 'the disk is full',
  14: 'it cannot be opened: does its folder exist, and may it be written?',
};

/** What SQLite refused, as one sentence that names the file. */
export function runFileError(doing: 'write' | 'read', path: string, error: unknown): RunFileError {
  if (error instanceof RunFileError) return error;
  const { errcode, message } = error as { readonly errcode?: number; readonly message?: string };
  if (errcode === undefined) throw error;
  const code = errcode & 0xff;
  if (code === 26 || code === 11) return new RunFileError(`${path} is no run record: ${message}`, { cause: error });
  const why = causes[code] ?? message ?? 'unknown error';
  const kept = doing === 'write' ? '. What was recorded before is kept' : '';
  return new RunFileError(`cannot ${doing} the run record ${path}: ${why}${kept}`, { cause: error });
}
