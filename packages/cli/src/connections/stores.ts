import { didYouMean } from '@unroll/engine';
import { type ConnectionStore, projectStore, storesOf, userStore } from '@unroll/nodes';
import { CommandFailure } from '../command-failure.ts';
import type { Options } from '../command-spec.ts';
import type { Io } from '../io.ts';
import { shownPath } from '../text/shown-path.ts';

/** Stores that are there: the project's, then the user's. */
export function allStores(io: Io): readonly ConnectionStore[] {
  return storesOf([io.folder], io.environment);
}

/**
 * Where a new connection goes: the project's store with `--project`, else the user's.
 *
 * @throws CommandFailure when there is no home folder
 */
export function targetStore(options: Options, io: Io): ConnectionStore {
  const store = options['project'] === true ? projectStore(io.folder, io.environment) : userStore(io.environment);
  if (store !== undefined) return store;
  throw new CommandFailure('there is no home folder to keep connections in', {
    help: 'Name a folder in FLOW_CONNECTIONS, or keep them in the project with --project.',
  });
}

/** The nearest store that has the connection. */
export function storeWith(name: string, options: Options, io: Io): ConnectionStore | undefined {
  if (options['project'] === true) {
    const store = projectStore(io.folder, io.environment);
    return store.find(name) === undefined ? undefined : store;
  }
  return allStores(io).find((store) => store.find(name) !== undefined);
}

/** Prompt flow's words, with the nearest name. */
export function notFound(name: string, known: readonly string[]): CommandFailure {
  return new CommandFailure(`Connection '${name}' is not found.`, {
    code: 'ConnectionNotFoundError',
    help: didYouMean(name, known) ?? 'flow connection list shows those there are.',
  });
}

/** A folder as people write it: `~` for the home folder. */
export function shownStore(folder: string, io: Io): string {
  const home = io.environment['HOME'] ?? io.environment['USERPROFILE'] ?? '';
  const shown = shownPath(folder, io.folder);
  if (shown !== folder || home === '' || !folder.startsWith(home)) return shown;
  return `~${folder.slice(home.length)}`;
}
