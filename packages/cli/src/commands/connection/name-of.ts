import { ProjectFailure } from '@unroll/project';
import type { OneConnection } from '../../options/connection-options.ts';

/** The connection a command is for: its argument, or `--name` as in Prompt flow. */
export function nameOf(settings: OneConnection): string {
  const name = settings.connection ?? settings.name;
  if (name !== undefined) return name;
  throw new ProjectFailure('which connection?', { help: 'flow connection list shows those there are.' });
}
