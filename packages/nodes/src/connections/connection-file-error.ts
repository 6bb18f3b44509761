/** Connections that cannot be used: where they stand and what is wrong; never with a value of one. */
export class ConnectionFileError extends Error {
  /** What to do about it. */
  readonly help: string | undefined;
  /** The same in one sentence, for lists. */
  readonly brief: string | undefined;

  constructor(message: string, help?: string, brief?: string) {
    super(message);
    this.help = help;
    this.brief = brief;
  }
}
