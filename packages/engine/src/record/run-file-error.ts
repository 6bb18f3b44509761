/** Raised when a record file is none of ours, was written by a newer release, or cannot be read or written. */
export class RunFileError extends Error {
  /** Why, without the file's name. */
  readonly reason: string;
  constructor(message: string, reason: string = message, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
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

/** What SQLite refused, as one sentence that names the file. Any other error is thrown again. */
export function runFileError(doing: 'write' | 'read', path: string, cause: unknown): RunFileError {
  if (cause instanceof RunFileError) return cause;
  const { errcode, message = '' } = cause as { readonly errcode?: number; readonly message?: string };
  if (errcode === undefined) throw cause;
  const code = errcode & 0xff;
  if (code === 26 || code === 11) return new RunFileError(`${path} is no run record: ${message}`, message, { cause });
  const reason = reasons[code] ?? message;
  const what = doing === 'write' ? 'written' : 'read';
  return new RunFileError(`the run record ${path} cannot be ${what}: ${reason}`, reason, { cause });
}
