import type { Io } from './io.ts';

/** A command as data: what the help says, and where its work is done. Nothing of the work is loaded before it runs. */
export interface CommandSpec {
  readonly name: string;
  /** For the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Other names it goes by. */
  readonly aliases?: readonly string[];
  /** Commands below it (`flow connection list`); it does nothing itself then. */
  readonly commands?: readonly CommandSpec[];
  load?(): Promise<Execute>;
}

export interface OptionSpec {
  /** As the help shows it: `--out <file>`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  /** May be given several times; the values come as a list. */
  readonly isRepeatable?: boolean;
}

/** @returns the exit code */
export type Execute = (call: CommandCall) => Promise<number>;

export interface CommandCall {
  readonly arguments: readonly string[];
  /** Keyed by the long flag in camel case; absent when not given. */
  readonly options: Options;
  readonly io: Io;
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
