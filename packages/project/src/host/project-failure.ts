/**
 * Why an operation of a project ended without a result, in words for people.
 *
 * `wrong`: what was asked for cannot be done, and nothing was; `failed`: something failed while it was done; `stopped`: it was
 * broken off before its end.
 */
export type FailureKind = 'wrong' | 'failed' | 'stopped';

/** The one exception that operations of a project end with; anything else that they throw is a mistake of ours. */
export class ProjectFailure extends Error {
  override readonly name: string = 'ProjectFailure';
  readonly kind: FailureKind;
  /** What to do about it, in the words of the command line. */
  readonly help: string | undefined;
  /** Stable name for programs. */
  readonly code: string;
  constructor(
    message: string,
    options: { readonly help?: string | undefined; readonly code?: string; readonly kind?: FailureKind } = {},
  ) {
    super(message);
    this.help = options.help;
    this.code = options.code ?? 'UsageError';
    this.kind = options.kind ?? 'wrong';
  }
}
