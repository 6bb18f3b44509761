import { ProjectFailure } from '@unroll/project/project-failure';
import * as z from 'zod';
import type { ArgumentSpec, OptionSpec, SettingSpecs } from '../command-spec.ts';

export function argument(name: `<${string}>`, about: string): ArgumentSpec<string> {
  return { name, about, schema: () => z.string() };
}

export function optionalArgument(name: `[${string}]`, about: string): ArgumentSpec<string | undefined> {
  return { name, about, schema: () => z.string().optional() };
}

/** One of a few, or a word that only programs give. */
export function chosenArgument<Name extends string, Word extends string>(
  name: `<${string}>`,
  about: string,
  choices: readonly Name[],
  word: Word,
): ArgumentSpec<Name | Word> {
  const error = `${name} is one of ${choices.join(', ')}`;
  return { name, about, choices, schema: () => z.enum([...choices, word], { error }) };
}

/** As many as are given: `<paths...>`, `[file...]`. */
export function restOfArguments(name: string, about: string): ArgumentSpec<readonly string[]> {
  return { name, about, schema: () => z.array(z.string()) };
}

/** Options that the help lists together. */
export function under<Specs extends SettingSpecs>(heading: string, specs: Specs): Specs {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, heading }])) as Specs;
}

export function flag(flags: string, about: string): OptionSpec<boolean> {
  return { flags, about, schema: () => z.boolean().default(false) };
}

/** True unless it is given: `--no-color`. */
export function flagOff(flags: `--no-${string}`, about: string): OptionSpec<boolean> {
  return { flags, about, schema: () => z.boolean().default(true) };
}

/** The empty text of a variable that is not set is refused: as a path it is the current folder, as the start of a name each run. */
export function text(flags: string, about: string): OptionSpec<string | undefined> {
  return parsedText(flags, about, (given) => refuseEmpty(given, flags));
}

/** The empty text names none, whatever the environment names. */
export function textOrNone(flags: string, about: string): OptionSpec<string | undefined> {
  return { flags, about, schema: () => z.string().optional() };
}

/** A text that may be left out: true without one (`--svg [file]`). */
export function flagOrText(flags: string, about: string): OptionSpec<string | true | undefined> {
  return { flags, about, schema: () => z.union([z.literal(true), z.string()]).optional() };
}

/** May be given several times; none is an empty list. */
export function texts(flags: string, about: string): OptionSpec<readonly string[]> {
  const one = () => parsed(z.string(), (given) => refuseEmpty(given, flags));
  return { flags, about, isRepeatable: true, schema: () => z.array(one()).default([]) };
}

/** One of a few that the help lists. */
export function choice<const Name extends string>(
  flags: string,
  about: string,
  choices: readonly Name[],
): OptionSpec<Name | undefined> {
  return { flags, about, choices, schema: () => z.enum(choices).optional() };
}

/** One of a few, for which the help has words of its own. */
export function oneOf<const Name extends string>(
  flags: string,
  about: string,
  names: readonly Name[],
): OptionSpec<Name | undefined> {
  return parsedText(flags, about, (given, name) => {
    const found = names.find((known) => known === given);
    if (found !== undefined) return found;
    throw new ProjectFailure(`${name} takes ${names.join(', ')}, not "${given}"`);
  });
}

export function wholeNumber(
  flags: string,
  about: string,
  least: number,
  max = Number.MAX_SAFE_INTEGER,
): OptionSpec<number | undefined> {
  return parsedText(flags, about, (given, name) => {
    if (/^\d+$/.test(given) && Number(given) >= least && Number(given) <= max) return Number(given);
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${max}`;
    throw new ProjectFailure(`${name} takes a whole number ${range}, not "${given}"`);
  });
}

/** Decimal digits, as a command line has them: neither `0x10` nor blanks nor more than a double holds. */
export function decimal(given: string): number | undefined {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(given) ? Number(given) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Given in seconds, read as whole milliseconds. */
export function seconds(flags: string, about: string): OptionSpec<number | undefined> {
  return parsedText(flags, about, (given, name) => {
    const number = decimal(given) ?? 0;
    if (number > 0) return Math.ceil(number * 1000);
    throw new ProjectFailure(`${name} takes seconds, more than 0, not "${given}"`);
  });
}

/**
 * A text that is read to a value.
 *
 * @param read throws ProjectFailure where it cannot; what it throws for several options is told together
 */
export function parsedText<Value>(
  flags: string,
  about: string,
  read: (given: string, name: string) => Value,
): OptionSpec<Value | undefined> {
  return { flags, about, schema: () => parsed(z.string(), (given) => read(given, nameOf(flags))).optional() };
}

/** The same for an option that may be given several times. */
export function parsedTexts<Value>(
  flags: string,
  about: string,
  read: (given: readonly string[], name: string) => Value,
): OptionSpec<Value | undefined> {
  const schema = () => parsed(z.array(z.string()), (given) => read(given, nameOf(flags))).optional();
  return { flags, about, isRepeatable: true, schema };
}

function parsed<Given, Value>(given: z.ZodType<Given>, read: (given: Given) => Value): z.ZodType<Value> {
  return given.transform((value, context): Value => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
      context.addIssue({ code: 'custom', message: error.message, params: { help: error.help } });
      return z.NEVER;
    }
  });
}

function refuseEmpty(given: string, flags: string): string {
  if (given !== '') return given;
  const [, wanted = ''] = /<(.+?)(?:\.\.\.)?>/.exec(flags) ?? [];
  const what = ['file', 'folder'].includes(wanted) ? `a ${wanted}` : `<${wanted}>`;
  throw new ProjectFailure(`${nameOf(flags)} takes ${what}, not ""`);
}

/** `--data` of `-d, --data <file>`. */
function nameOf(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}
