import type { ProjectFailure } from '@unroll/project';
import { Command, CommanderError, Option } from 'commander';
import type { CommandCall, CommandSpec, OptionSpec } from './command-spec.ts';
import { commandTable, helpSections } from './command-table.ts';
import { exitCode } from './exit-code.ts';
import { helpText } from './help-text.ts';
import type { Io } from './io.ts';
import { color, json } from './options/common-options.ts';
import { promptFlowWords } from './prompt-flow-words.ts';

/** Reads the arguments and runs the command they name; the only file that knows the argument parser. */
export async function runCommandLine(given: readonly string[], io: Io): Promise<number> {
  const argv = helpOfCommand(withoutAlias(given));
  let ended: number = exitCode.done;
  const program = createProgram(argv, io, (code) => {
    ended = code;
  });
  if (argv[0] === '--version') return runNamed('version', io);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return ended;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.done;
    const hinted = await withHint(error, given, io);
    if (!(hinted instanceof CommanderError)) throw hinted;
    return exitCode.wrong;
  }
}

/** `help connection create` is about the command within, as `connection create --help` is; one that is not known is told as one that was typed. */
function helpOfCommand(argv: readonly string[]): readonly string[] {
  const [help, ...path] = argv;
  if (help !== 'help') return argv;
  const [name = help, ...below] = withoutAlias(path);
  if (name === 'help' || name.startsWith('-')) return ['--help'];
  return commandTable.some((spec) => spec.name === name) ? [name, ...below, '--help'] : [name];
}

function withoutAlias(argv: readonly string[]): readonly string[] {
  const [first = '', ...rest] = argv;
  const named = commandTable.find(({ aliases = [] }) => aliases.includes(first));
  return named === undefined ? argv : [named.name, ...rest];
}

/** Of the commands that are not named only the name is made known, for the nearest one to a misspelt. */
function createProgram(argv: readonly string[], io: Io, onEnd: (code: number) => void): Command {
  const program = new Command('flow');
  configure(program, io)
    .helpCommand(...ofHelp)
    // Of a word of Prompt flow's it is told what to type here, not what it resembles.
    .showSuggestionAfterError(promptFlowWords(argv) === undefined)
    .showHelpAfterError(io.words.failure('(flow help lists the commands)'))
    .configureHelp({ formatHelp: () => helpText(helpSections, io.stdout.columns) });
  const named = argv.slice(0, 2);
  for (const spec of commandTable) {
    program.addCommand(named.includes(spec.name) ? createCommand(spec, io, onEnd) : new Command(spec.name));
  }
  return program;
}

/** Of the column in which help tells of an option: below 40 characters the library breaks no line, and a terminal of 80 breaks words. */
const narrowest = 24;

const ofHelp = ['help [command]', 'help for a command'] as const;

function configure(command: Command, io: Io): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ minWidthToWrap: narrowest })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(`${io.words.failure(text.trimEnd())}\n`),
      getOutHelpWidth: () => Math.min(io.stdout.columns ?? 100, 110),
      getErrHelpWidth: () => Math.min(io.stderr.columns ?? 100, 110),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

/** What to type here is told of options with another dash, and of Prompt flow's words: those that commands do not know, and those taken for the name of a flow. */
async function withHint(error: unknown, given: readonly string[], io: Io): Promise<unknown> {
  const here = promptFlowWords(given);
  const hints = [...otherDashes(given), ...(here === undefined ? [] : [`(as in pf; here: ${here})`])].map(
    io.words.failure,
  );
  if (hints.length === 0) return error;
  const help = hints.join('\n');
  if (error instanceof CommanderError) {
    io.stderr.write(`${help}\n`);
    return error;
  }
  const { ProjectFailure } = await import('@unroll/project');
  if (!(error instanceof ProjectFailure) || error.code !== 'FlowNotFound') return error;
  return new ProjectFailure(error.message, { code: error.code, help });
}

/** What word processors and Japanese keyboards make of `--data` and `-i`. */
function otherDashes(given: readonly string[]): readonly string[] {
  const word = given.find((one) => /^[\u2010-\u2015\u2212\u30FC\uFF0D\uFF70]+[a-z]/.test(one));
  if (word === undefined) return [];
  const name = word.replace(/^[^a-z]+/, '');
  const meant = `${name.length === 1 ? '-' : '--'}${name}`;
  return [`("${word}" begins with a dash of another kind; did you mean ${meant}?)`];
}

function createCommand(
  spec: CommandSpec,
  io: Io,
  onEnd: (code: number) => void,
  above: readonly string[] = [],
): Command {
  const path = [...above, spec.name];
  const command = configure(new Command(spec.name), io)
    .summary(spec.summary)
    .description(spec.description)
    .showHelpAfterError(io.words.failure(`(${helpCommand(path)} shows what it takes)`))
    .addHelpText('after', examplesText(spec.examples));
  for (const { name, about } of spec.arguments) command.argument(name, about);
  for (const option of spec.options) {
    command.addOption(createOption(option));
    tellMissingValue(command, createOption(option));
    if (option.isRepeatable !== true) tellRepeated(command, createOption(option), io);
  }
  if (spec.commands !== undefined) command.helpCommand(...ofHelp);
  for (const below of spec.commands ?? []) command.addCommand(createCommand(below, io, onEnd, path));
  const { run } = spec;
  if (run === undefined) return command;
  return command.action(async () => {
    const optionValue = (option: OptionSpec): unknown => command.getOptionValue(createOption(option).attributeName());
    try {
      onEnd(withDamage(await ended(run, { arguments: command.processedArgs, optionValue, io }), io));
    } catch (error) {
      const { recordFailure } = await import('@unroll/project');
      throw recordFailure(error);
    }
  });
}

/** A flow that cannot run is told in the same words by all commands, and to programs why a command has no result. */
async function ended(run: (call: CommandCall) => Promise<number>, call: CommandCall): Promise<number> {
  try {
    return await run(call);
  } catch (error) {
    const isJson = call.optionValue(json) === true;
    const { FlowNotReady, ProjectFailure } = await import('@unroll/project');
    if (error instanceof FlowNotReady) {
      const { reportNotReady } = await import('./reporters/not-ready.ts');
      return reportNotReady(error, call.io, { json: isJson, color: call.optionValue(color) !== false });
    }
    if (isJson && error instanceof ProjectFailure) call.io.stdout.write(failureJson(error));
    throw error;
  }
}

function failureJson({ code, message, help }: ProjectFailure): string {
  return `${JSON.stringify({ error: { code, message, help } })}\n`;
}

/** What a command read is not whole: that is told, and nobody takes the command for done. */
function withDamage(code: number, io: Io): number {
  const { damage } = io;
  if (damage.isEmpty) return code;
  io.stderr.write(damage.text(io.words));
  return code === exitCode.done ? exitCode.failed : code;
}

function helpCommand(path: readonly string[]): string {
  return `flow help ${path.join(' ')}`;
}

function createOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.about);
  if (spec.choices !== undefined) option.choices(spec.choices);
  if (spec.heading !== undefined) option.helpGroup(`${spec.heading}:`);
  if (spec.isRepeatable === true) {
    option.argParser<readonly string[]>((value, previous) => [...(previous ?? []), value]);
  }
  return option;
}

/** The library takes what stands behind for its value, though it be the next option. */
function tellMissingValue(command: Command, option: Option): void {
  command.on(`option:${option.name()}`, (value: unknown) => {
    if (!command.options.some(({ long }) => long === value)) return;
    command.error(`error: option '${option.flags}' argument missing`, { code: 'commander.optionMissingArgument' });
  });
}

/** Two files of data, two variants: nobody takes the first for read. */
function tellRepeated(command: Command, option: Option, io: Io): void {
  let before: unknown;
  command.on(`option:${option.name()}`, (value: unknown) => {
    if (typeof before === 'string' && value !== before) {
      io.stderr.write(`warning: ${io.words.failure(`${option.long} is given more than once: the last one counts`)}\n`);
    }
    before = value;
  });
}

function examplesText(examples: readonly string[]): string {
  return ['', 'Examples:', ...examples.map((example) => `  ${example}`)].join('\n');
}

async function runNamed(name: string, io: Io): Promise<number> {
  const spec = commandTable.find((candidate) => candidate.name === name);
  if (spec?.run === undefined) throw new Error(`bug: no command ${name}`);
  return await spec.run({ arguments: [], optionValue: () => undefined, io });
}
