import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ConnectionStore, openConnectionStore } from './connection-store.ts';
import { type KeyPlaces, keyVariable } from './key-ring.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where keys are: FLOW_CONNECTION_KEY, and `.flow/connection-keys` of the home folder or the file FLOW_CONNECTION_KEY_FILE
 * names. Never in a project, so that a project's folder can be given away.
 */
export function keyPlaces(environment: Environment): KeyPlaces {
  const variable = environment[keyVariable];
  const home = homeOf(environment);
  const file = environment['FLOW_CONNECTION_KEY_FILE'] ?? (home && join(home, '.flow', 'connection-keys'));
  return { ...(variable === undefined ? {} : { variable }), ...(file === undefined ? {} : { file: resolve(file) }) };
}

/** The user's own store: FLOW_CONNECTIONS, or `.flow/connections` of the home folder. */
export function userStore(environment: Environment): ConnectionStore | undefined {
  const home = homeOf(environment);
  const folder = environment['FLOW_CONNECTIONS'] ?? (home && join(home, '.flow', 'connections'));
  return folder === undefined ? undefined : openConnectionStore(resolve(folder), keyPlaces(environment));
}

/** The store of a project, `.flow/connections` of its folder, whether it is there yet or not. */
export function projectStore(folder: string, environment: Environment): ConnectionStore {
  return openConnectionStore(join(folder, '.flow', 'connections'), keyPlaces(environment));
}

/** Stores that are there, the nearest first: those of the folders, then the user's. */
export function storesOf(folders: readonly string[], environment: Environment): readonly ConnectionStore[] {
  const own = userStore(environment);
  const all = [...folders.map((folder) => projectStore(folder, environment)), ...(own === undefined ? [] : [own])];
  const places = all.map(({ folder }) => folder);
  return all.filter(({ folder }, index) => places.indexOf(folder) === index && isFolder(folder));
}

function homeOf({ HOME, USERPROFILE }: Environment): string | undefined {
  return HOME || USERPROFILE || undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
