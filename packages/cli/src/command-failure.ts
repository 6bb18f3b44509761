import { type ExitCode, exitCode } from './exit-code.ts';

/** Ends a command with a message for people; `main` prints it. Thrown only inside the command line. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  /** What to do about it, printed under the message. */
  readonly help: string | undefined;
  /** Class name for `--json`. */
  readonly code: string;
  constructor(
    message: string,
    options: { readonly help?: string | undefined; readonly code?: string; readonly exitCode?: ExitCode } = {},
  ) {
    super(message);
    this.help = options.help;
    this.code = options.code ?? 'UsageError';
    this.exitCode = options.exitCode ?? exitCode.wrong;
  }
}
