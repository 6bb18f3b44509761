import { ProjectFailure } from '@unroll/project';
import type { CommandCall } from '../../command-spec.ts';
import { textOf } from '../../option-values.ts';

/** The connection a command is for: its argument, or `--name` as in Prompt flow. */
export function nameOf({ arguments: given, options }: CommandCall): string {
  const name = given[0] ?? textOf(options, 'name');
  if (name !== undefined) return name;
  throw new ProjectFailure('which connection?', { help: 'flow connection list shows those there are.' });
}
