import { didYouMean, shownPath } from '@unroll/engine';
import { type ConnectionStore, projectStore, storesOf, userStore } from '@unroll/nodes';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

/** Whose store keeps a connection. */
export type StorePlace = 'project' | 'user';

/** Stores that are there: the project's, then the user's. */
export function allStores({ folder, environment }: System): readonly ConnectionStore[] {
  return storesOf([folder], environment);
}

/**
 * Where a new connection goes: the project's store, or else the user's.
 *
 * @throws ProjectFailure when there is no home folder
 */
export function targetStore(place: StorePlace, { folder, environment }: System): ConnectionStore {
  const store = place === 'project' ? projectStore(folder, environment) : userStore(environment);
  if (store !== undefined) return store;
  throw new ProjectFailure('there is no home folder to keep connections in', {
    help: 'Name a folder in FLOW_CONNECTIONS, or keep them in the project with --project.',
  });
}

/** The nearest store that has the connection, or that of the project alone. */
export function storeWith(name: string, place: 'nearest' | 'project', system: System): ConnectionStore | undefined {
  if (place === 'project') {
    const store = projectStore(system.folder, system.environment);
    return store.find(name) === undefined ? undefined : store;
  }
  return allStores(system).find((store) => store.find(name) !== undefined);
}

/** Prompt flow's words, with the nearest name. @param hint what would make it be there */
export function notFound(name: string, known: readonly string[], hint?: string): ProjectFailure {
  return new ProjectFailure(`Connection '${name}' is not found.`, {
    code: 'ConnectionNotFoundError',
    help: hint ?? didYouMean(name, known) ?? 'flow connection list shows those there are.',
  });
}

/** A folder as people write it: `~` for the home folder. */
export function shownStore(folder: string, system: System): string {
  const home = system.environment['HOME'] ?? system.environment['USERPROFILE'] ?? '';
  const shown = shownPath(folder, system.folder);
  if (shown !== folder || home === '' || !folder.startsWith(home)) return shown;
  return `~${folder.slice(home.length)}`;
}
