import { readdirSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { RootCommand } from '@bomb.sh/tab';
import { listRunIds, runsFolder } from '@unroll/project';
import type { CommandSpec, OptionSpec } from '../command-spec.ts';

/** What is looked at to complete a word. */
export interface CompletionScope {
  readonly commands: readonly CommandSpec[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Tell = (value: string, about: string) => void;
type Completer = (tell: Tell) => void;

/**
 * Prints on stdout what may stand in place of the last word, in the protocol of the scripts of `@bomb.sh/tab`: a line each, and a
 * number for the shell last. Files and runs are looked up.
 *
 * @param words what stands behind `flow`; the last may be empty
 */
export function completeWords(words: readonly string[], scope: CompletionScope): void {
  const root = new RootCommand();
  const begun = words.at(-1) ?? '';
  for (const command of scope.commands)
    addCommand(root, command, command.name, (name) => completer(name, begun, scope));
  root.parse([...words]);
}

/** How a word of this name is completed: `<flow>`, `<file>`, `[run]`; undefined where nothing is known of it. */
type CompleterOf = (name: string) => Completer | undefined;

function addCommand(root: RootCommand, spec: CommandSpec, path: string, completerOf: CompleterOf): void {
  const command = root.command(path, spec.summary);
  for (const option of spec.options) addOption(command, option, completerOf);
  for (const { name, choices } of spec.arguments) {
    const complete = choices === undefined ? completerOf(name) : reportAll(choices);
    command.argument(name, complete, name.includes('...'));
  }
  for (const below of spec.commands ?? []) addCommand(root, below, `${path} ${below.name}`, completerOf);
}

function addOption(command: ReturnType<RootCommand['command']>, option: OptionSpec, completerOf: CompleterOf): void {
  const { short, long, value } =
    /^(?:-(?<short>\w), )?--(?<long>\S+)(?: (?<value>.+))?$/.exec(option.flags)?.groups ?? {};
  if (long === undefined) throw new Error(`bug: no long name in ${option.flags}`);
  if (value === undefined) command.option(long, option.about, short ?? '');
  else {
    const { choices } = option;
    const complete: Completer | undefined = choices === undefined ? completerOf(value) : reportAll(choices);
    command.option(long, option.about, complete ?? (() => undefined), short);
  }
}

function completer(name: string, begun: string, scope: CompletionScope): Completer | undefined {
  if (/\b(?:run|a|b)\b/.test(name))
    return (tell) => reportAll(['latest', ...runsIn(runsFolder(undefined, scope))])(tell);
  if (/\b(?:flows?|eval|file|folder|paths?|index|catalogue|template|run\.yaml)\b/.test(name))
    return (tell) => reportAll(pathsFrom(begun, scope.folder))(tell);
  return undefined;
}

function reportAll(values: readonly string[]): Completer {
  return (tell) => {
    for (const value of values) tell(value, '');
  };
}

/** None of a folder that may not be looked into: a shell that completes a word shows no mistakes. */
function runsIn(folder: string): readonly string[] {
  try {
    return listRunIds(folder);
  } catch {
    return [];
  }
}

/** Files and folders whose path begins so, folders with `/`; hidden ones where a dot is written. */
function pathsFrom(begun: string, folder: string): readonly string[] {
  const above = begun.slice(0, 1 + Math.max(begun.lastIndexOf('/'), begun.lastIndexOf(sep)));
  const isHiddenWanted = begun.slice(above.length).startsWith('.');
  return entriesOf(resolve(folder, above))
    .filter(({ name }) => isHiddenWanted || !name.startsWith('.'))
    .map((entry) => `${above}${entry.name}${entry.isDirectory() ? '/' : ''}`);
}

function entriesOf(folder: string): readonly { readonly name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
