import type { Connection, JsonObject } from '@unroll/engine';
import { type ConnectionStore, keyPlaces, rotateKey, takenName } from '@unroll/nodes';
import { composeConnections, orFailure } from '../connections/compose.ts';
import { allStores, notFound, type StorePlace, shownStore, storeWith, targetStore } from '../connections/stores.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { type AskSecret, fillSecrets } from './fill-secrets.ts';
import { unusableName } from './unusable-name.ts';
import { connectionOf, fieldsOf } from './written-fields.ts';

/** Where a connection was kept, as people write it. */
export interface KeptPlace {
  readonly from: string;
}

/**
 * Keeps a connection; one of the same name is replaced, as in Prompt flow.
 *
 * @throws ProjectFailure where it leads nowhere, or lacks a secret that nobody gives
 */
export async function createConnection(
  { name, fields }: { readonly name: string; readonly fields: JsonObject },
  place: StorePlace,
  ask: AskSecret,
  system: System,
): Promise<KeptPlace & { readonly hasReplaced: boolean }> {
  const taken = unusableName(name) ?? takenName(name, String(fields['type']));
  if (taken !== undefined) throw new ProjectFailure(taken.message, { help: taken.help });
  const store = targetStore(place, system);
  const hasReplaced = orFailure(() => store.find(name)) !== undefined;
  await keepConnection(connectionOf(name, fields), store, ask, system);
  return { from: shownStore(store.folder, system), hasReplaced };
}

/** Fields of a connection that is kept with others laid over them; a secret that is only held open stays. */
export interface ConnectionUpdate {
  readonly fields: JsonObject;
  /** @throws ProjectFailure as `createConnection` does */
  keep(ask: AskSecret): Promise<KeptPlace>;
}

/** @throws ProjectFailure where no store has it, or nothing is to change */
export function updateConnection(
  name: string,
  given: JsonObject,
  place: 'nearest' | 'project',
  system: System,
): ConnectionUpdate {
  const store = orFailure(() => storeWith(name, place, system));
  const before = store?.find(name);
  if (store === undefined || before === undefined) throw notFound(name, keptNames(system));
  if (Object.keys(given).length === 0) {
    throw new ProjectFailure('nothing to change was given', { help: 'For instance: --set api_base=https://…' });
  }
  const fields = laidOver(fieldsOf({ ...before, secrets: heldOpen(before.secrets) }), given);
  return {
    fields,
    keep: async (ask) => {
      await keepConnection(connectionOf(name, fields), store, ask, system);
      return { from: shownStore(store.folder, system) };
    },
  };
}

/** A connection that a store has, about to be deleted. */
export interface ConnectionDeletion extends KeptPlace {
  delete(): void;
}

/** @throws ProjectFailure where no store has it: those of files and of the environment are changed where they stand */
export function findDeletion(name: string, place: 'nearest' | 'project', system: System): ConnectionDeletion {
  const store = orFailure(() => storeWith(name, place, system));
  if (store === undefined) throw connectionNotSaved(name, system);
  return { from: shownStore(store.folder, system), delete: () => store.delete(name) };
}

/** Asks for the secrets that are missing, and saves. Secrets of the one it replaces are opened only when they stay. */
export async function keepConnection(
  connection: Connection,
  store: ConnectionStore,
  ask: AskSecret,
  system: System,
): Promise<void> {
  const before = orFailure(() => store.find(connection.name));
  const kept = {
    names: before?.type === connection.type ? Object.keys(before.secrets) : [],
    open: () => orFailure(() => store.open(connection.name)),
  };
  const filled = await fillSecrets(connection, kept, ask);
  orFailure(() => store.save(filled, system.now()));
}

/** What came of a new key. */
export interface RotatedKey {
  /** Connections that were encrypted again. */
  readonly count: number;
  /** Stores they are in, as people write them. */
  readonly stores: readonly string[];
  /** The file that keeps the keys, as people write it. */
  readonly keyFile: string;
}

/** A new key, and every kept secret encrypted with it. @param forgetsOld stores of other projects that used the old keys need their secrets again */
export function rotateConnectionKey(forgetsOld: boolean, system: System): RotatedKey {
  const keys = keyPlaces(system.environment);
  const stores = allStores(system);
  const count = orFailure(() => rotateKey(stores, keys, forgetsOld));
  return {
    count,
    stores: stores.map(({ folder }) => shownStore(folder, system)),
    keyFile: shownStore(keys.file ?? '', system),
  };
}

function connectionNotSaved(name: string, system: System): ProjectFailure {
  const from = composeConnections(system, system.folder)
    .list()
    .find((one) => one.name === name)?.from;
  if (from === undefined) return notFound(name, keptNames(system));
  const place = from === 'environment' ? 'the environment' : shownStore(from, system);
  return new ProjectFailure(`connection "${name}" is not in a store: it comes from ${place}`, {
    help: 'Take it away there.',
  });
}

function keptNames(system: System): readonly string[] {
  return allStores(system).flatMap((one) => one.list().map((kept) => kept.name));
}

/** What is kept is encrypted; it stands for itself until it is wanted. */
function heldOpen(secrets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(secrets).map((key) => [key, '<no-change>']));
}

function laidOver(fields: JsonObject, given: JsonObject): JsonObject {
  const members = (key: string): JsonObject =>
    key in fields || key in given
      ? { [key]: { ...(fields[key] as JsonObject | undefined), ...(given[key] as JsonObject | undefined) } }
      : {};
  return { ...fields, ...given, ...members('configs'), ...members('secrets') };
}
