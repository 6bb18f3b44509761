import {
  allStores,
  composeConnections,
  notFound,
  orFailure,
  ProjectFailure,
  shownStore,
  storeWith,
} from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { DeleteConnectionSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { nameOf } from './name-of.ts';

/** `flow connection delete`: from a store; those of files and of the environment are changed where they stand. */
export async function deleteConnection(settings: DeleteConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const store = orFailure(() => storeWith(name, settings.project ? 'project' : 'nearest', io));
  if (store === undefined) throw notKept(name, io);
  const place = shownStore(store.folder, io);
  if (!settings.yes) {
    if (!io.isInteractive) {
      throw new ProjectFailure(`deleting connection "${name}" needs a yes, and there is no terminal to ask`, {
        help: 'Say it with --yes.',
      });
    }
    const answer = (await io.ask(`Delete connection "${name}" from ${place}? [y/N] `)) ?? '';
    if (!/^y(es)?$/i.test(answer.trim())) {
      io.stdout.write('kept\n');
      return exitCode.done;
    }
  }
  store.delete(name);
  io.stdout.write(
    settings.json ? stringifyJsonLine({ deleted: name, from: place }) : `deleted connection "${name}" from ${place}\n`,
  );
  return exitCode.done;
}

function notKept(name: string, io: Io): ProjectFailure {
  const from = composeConnections(io, io.folder)
    .list()
    .find((one) => one.name === name)?.from;
  if (from === undefined)
    return notFound(
      name,
      allStores(io).flatMap((one) => one.list().map((kept) => kept.name)),
    );
  return new ProjectFailure(
    `connection "${name}" is not in a store: it comes from ${from === 'environment' ? 'the environment' : shownStore(from, io)}`,
    {
      help: 'Take it away there.',
    },
  );
}
