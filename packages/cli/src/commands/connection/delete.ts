import { ProjectFailure } from '@unroll/project';
import { findDeletion } from '@unroll/project/kept-connections';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { DeleteConnectionSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { nameOf } from './name-of.ts';

/** `flow connection delete`: from a store; those of files and of the environment are changed where they stand. */
export async function deleteConnection(settings: DeleteConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const deletion = findDeletion(name, settings.project ? 'project' : 'nearest', io);
  const { from } = deletion;
  if (!settings.yes && !(await isConfirmed(`Delete connection "${name}" from ${from}?`, name, io))) {
    io.stdout.write('kept\n');
    return exitCode.done;
  }
  deletion.delete();
  io.stdout.write(
    settings.json ? stringifyJsonLine({ deleted: name, from }) : `deleted connection "${name}" from ${from}\n`,
  );
  return exitCode.done;
}

async function isConfirmed(question: string, name: string, io: Io): Promise<boolean> {
  if (!io.isInteractive) {
    throw new ProjectFailure(`deleting connection "${name}" needs a yes, and there is no terminal to ask`, {
      help: 'Say it with --yes.',
    });
  }
  const answer = (await io.ask(`${question} [y/N] `)) ?? '';
  return /^y(es)?$/i.test(answer.trim());
}
