/**
 * An index that cannot be opened. `code` is `IndexNotFound` or `IndexInvalid`; the message of an invalid one names each
 * wrong document with its file and line.
 */
export class IndexError extends Error {
  readonly code: 'IndexNotFound' | 'IndexInvalid';

  constructor(code: 'IndexNotFound' | 'IndexInvalid', message: string) {
    super(message);
    this.name = code;
    this.code = code;
  }
}
