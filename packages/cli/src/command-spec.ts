import type * as z from 'zod';
import type { Io } from './io.ts';

/** A command as data: what the help says, and where its work is done. Nothing of the work is loaded before it runs. */
export interface CommandSpec {
  readonly name: string;
  /** For the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Other names it goes by. */
  readonly aliases?: readonly string[];
  /** Commands below it (`flow connection list`); it does nothing itself then. */
  readonly commands?: readonly CommandSpec[];
  /** @returns the exit code */
  run?(call: CommandCall): Promise<number>;
}

/** Commands that serve one purpose, under its name in the help. */
export interface HelpSection {
  readonly heading: string;
  readonly commands: readonly CommandSpec[];
}

/** What the parser of arguments read, of which each command makes its settings. */
export interface CommandCall {
  /** In the order of the specs; a list where there may be several, undefined where an optional one is not given. */
  readonly arguments: readonly unknown[];
  /** A text, a switch or a list; undefined where the option is not given. */
  optionValue(option: OptionSpec): unknown;
  readonly io: Io;
}

/** How what is given is read. Schemas are made when the command runs: those of all commands take longer than the help to print. */
interface Reads<Value> {
  readonly schema: () => z.ZodType<Value>;
}

export interface ArgumentSpec<Value = unknown> extends Reads<Value> {
  /** As the help shows it: `<flow>`, `[run]`, `<paths...>`. */
  readonly name: string;
  readonly about: string;
  readonly choices?: readonly string[];
}

export interface OptionSpec<Value = unknown> extends Reads<Value> {
  /** As the help shows it: `--out <file>`. */
  readonly flags: string;
  /** What the help lists it under; absent: options. */
  readonly heading?: string;
  readonly about: string;
  readonly choices?: readonly string[];
  /** May be given several times; the values come as a list. */
  readonly isRepeatable?: boolean;
}

/** What can be given to a command, by the names its work knows it under, in the order of the help. */
export type SettingSpecs = Readonly<Record<string, ArgumentSpec | OptionSpec>>;

/** What the work of a command is given. */
export type SettingsOf<Specs extends SettingSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends Reads<infer Value> ? Value : never;
};

/** @returns the exit code */
export type Execute<Specs extends SettingSpecs> = (settings: SettingsOf<Specs>, io: Io) => Promise<number>;

export function isArgument(spec: ArgumentSpec | OptionSpec): spec is ArgumentSpec {
  return !isOption(spec);
}

export function isOption(spec: ArgumentSpec | OptionSpec): spec is OptionSpec {
  return 'flags' in spec;
}
