import type { CommandSpec, HelpSection } from './command-spec.ts';

/**
 * `flow --help`. Printed without the argument parser, which takes longer to load than the help to print.
 *
 * @param width of the terminal; absent: it is none, and no line is broken
 */
export function helpText(sections: readonly HelpSection[], width?: number): string {
  const rowsOf = ({ commands }: HelpSection) => commands.map((command) => [termOf(command), command.summary] as const);
  const first = Math.max(...sections.flatMap(rowsOf).map(([term]) => term.length + 1));
  return [
    'Usage: flow <command> [arguments]',
    '',
    ...broken(
      'Runs flows of language-model calls, code and searches, with loops unrolled and every node recorded.',
      width ?? Number.POSITIVE_INFINITY,
    ),
    '',
    ...sections.flatMap((section) => [`${section.heading}:`, ...columns(rowsOf(section), first, width), '']),
    'Help:',
    ...columns(ofHelp, first, width),
    '',
    'Examples:',
    '  flow init my-agent',
    '  flow run my-agent --input "query=…"',
    '  flow help run',
    '',
  ].join('\n');
}

const ofHelp = [
  ['help [command]', 'help for a command'],
  ['-h, --help', 'show this help'],
  ['--version', 'print the version'],
] as const;

function termOf({ name, options, arguments: given, commands = [] }: CommandSpec): string {
  if (commands.length > 0) return `${name} <command>`;
  return [name, ...(options.length > 0 ? ['[options]'] : []), ...given.map((argument) => argument.name)].join(' ');
}

function columns(
  rows: readonly (readonly [string, string])[],
  first: number,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const left = Math.max(24, width - first - 3);
  const next = `\n${' '.repeat(first + 3)}`;
  return rows.map(([term, about]) => `  ${term.padEnd(first)} ${broken(about, left).join(next)}`);
}

/** Between words, at most `width` characters a line. */
function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
