import type { JsonObject } from '@unroll/engine';
import { composeConnections, orFailure } from '../connections/compose.ts';
import { notFound, shownStore, storeWith } from '../connections/stores.ts';
import type { System } from '../host/project-host.ts';

const stars = '******';

/** A connection without its secrets. */
export interface ConnectionDescription {
  readonly name: string;
  readonly type: string;
  /** Where it is described: a place as people write it, `environment`, or `built in`. */
  readonly from: string;
  readonly configs: JsonObject;
  /** Stars, by the names of the secrets. */
  readonly secrets: JsonObject;
  /** When, where a store has it; ISO 8601. */
  readonly created?: string;
  readonly modified?: string;
}

/** Whose connection is meant. */
export interface DescribedPlace {
  readonly place: 'nearest' | 'project';
  /** Looked into before all other places. */
  readonly connectionsFile?: string | undefined;
}

/**
 * One of a store is described without its key being needed.
 *
 * @throws ProjectFailure where there is none of that name, with the nearest
 */
export function describeConnection(name: string, where: DescribedPlace, system: System): ConnectionDescription {
  return storedConnection(name, where, system) ?? foundConnection(name, where, system);
}

function storedConnection(
  name: string,
  { place, connectionsFile }: DescribedPlace,
  system: System,
): ConnectionDescription | undefined {
  if (connectionsFile !== undefined) return undefined;
  const store = orFailure(() => storeWith(name, place, system));
  const found = store?.find(name);
  const nearer = composeConnections(system, system.folder)
    .list()
    .find((one) => one.name === name);
  if (store === undefined || found === undefined || nearer?.from !== store.folder) return undefined;
  const { type, configs, secrets, created, modified } = found;
  return { name, type, from: shownStore(store.folder, system), configs, secrets: starred(secrets), created, modified };
}

function foundConnection(name: string, { connectionsFile }: DescribedPlace, system: System): ConnectionDescription {
  const source = composeConnections(system, system.folder, connectionsFile);
  const from = source.list().find((one) => one.name === name)?.from ?? 'built in';
  const connection = source.find(name);
  if (connection === undefined) throw notFound(name, source.names(), source.hint?.(name));
  const { type, configs, secrets } = connection;
  const place = from === 'environment' || from === 'built in' ? from : shownStore(from, system);
  return { name, type, from: place, configs, secrets: starred(secrets) };
}

function starred(secrets: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.keys(secrets).map((key) => [key, stars]));
}
