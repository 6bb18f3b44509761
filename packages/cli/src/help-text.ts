import type { CommandSpec } from './command-spec.ts';

/** `flow --help`. Printed without the argument parser, which takes longer to load than the help to print. */
export function helpText(commands: readonly CommandSpec[]): string {
  return [
    'Usage: flow <command> [arguments]',
    '',
    'Runs flows of language-model calls, code and searches, with loops unrolled and every node recorded.',
    '',
    'Options:',
    ...columns([
      ['--version', 'print the version'],
      ['-h, --help', 'show this help'],
    ]),
    '',
    'Commands:',
    ...columns([
      ...commands.map((command) => [termOf(command), command.summary] as const),
      ['help [command]', 'help for a command'],
    ]),
    '',
    'Examples:',
    '  flow init my-agent',
    '  flow run my-agent --input "query=…"',
    '  flow help run',
    '',
  ].join('\n');
}

function termOf({ name, options, arguments: given, commands = [] }: CommandSpec): string {
  if (commands.length > 0) return `${name} <command>`;
  return [name, ...(options.length > 0 ? ['[options]'] : []), ...given.map((argument) => argument.name)].join(' ');
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(28, ...rows.map(([term]) => term.length + 1));
  return rows.map(([term, about]) => `  ${term.padEnd(width)} ${about}`);
}
