/**
 * An index that cannot be used. `IndexNotFound`: nothing is there; `IndexInvalid`: it is no index, or a document of it
 * cannot be read; `IndexOutdated`: it was made in a way in which this program cannot search it.
 */
export class IndexError extends Error {
  readonly code: 'IndexNotFound' | 'IndexInvalid' | 'IndexOutdated';
  /** The system refused the file; whether it is an index is not known. */
  readonly isUnreadable: boolean;

  constructor(code: IndexError['code'], message: string, { isUnreadable = false } = {}) {
    super(message);
    this.name = code;
    this.code = code;
    this.isUnreadable = isUnreadable;
  }
}
