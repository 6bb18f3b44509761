import { helpSections } from './command-table.ts';
import { helpText } from './help-text.ts';
import type { ProcessIo } from './io.ts';

const asksForHelp: readonly (string | undefined)[] = [undefined, '--help', '-h', 'help'];

/** @returns false, and prints nothing, where a command line is no mere question what there is */
export function printHelp(argv: readonly string[], io: ProcessIo): boolean {
  if (argv.length > 1 || !asksForHelp.includes(argv[0])) return false;
  io.stdout.write(helpText(helpSections, io.stdout.columns));
  return true;
}
