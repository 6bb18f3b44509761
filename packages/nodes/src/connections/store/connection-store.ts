import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '@unroll/engine';
import * as z from 'zod';
import { ConnectionFileError } from '../connection-file-error.ts';
import { addKey, forgetOldKeys, type KeyPlaces, keyVariable, readKeys, type SecretKey } from './key-ring.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';
import { writeOwnFile } from './write-own-file.ts';

/** A connection as it lies in the store: its secrets encrypted, everything else readable. */
const keptConnection = z.object({
  format: z.literal(1),
  name: z.string(),
  type: z.string(),
  configs: z.record(z.string(), z.string()),
  secrets: z.record(z.string(), z.string()),
  /** ISO 8601, UTC. */
  created: z.string(),
  modified: z.string(),
});

export type KeptConnection = Readonly<z.infer<typeof keptConnection>>;

/**
 * Connections kept in a folder, one file each. Everything but `open` and `save` works without a key. Two processes may use
 * it at once: a file is replaced in one step.
 */
export interface ConnectionStore {
  /** Absolute. */
  readonly folder: string;
  /** By name, sorted. */
  list(): readonly KeptConnection[];
  find(name: string): KeptConnection | undefined;
  /** @throws ConnectionFileError when the key of a secret is not here, or a file was altered */
  open(name: string): Connection | undefined;
  /** Makes or replaces it. The first one saved makes the key when there is none. */
  save(connection: Connection, now: number): KeptConnection;
  delete(name: string): boolean;
  /** Encrypts all secrets again with the key to encrypt with. @returns how many connections that was */
  encryptAgain(): number;
}

export function openConnectionStore(folder: string, keys: KeyPlaces): ConnectionStore {
  const pathOf = (name: string): string => join(folder, `${encodeURIComponent(name)}.json`);
  const find = (name: string): KeptConnection | undefined =>
    existsSync(pathOf(name)) ? readKept(pathOf(name)) : undefined;
  const write = (kept: KeptConnection): KeptConnection => {
    writeOwnFile(pathOf(kept.name), `${JSON.stringify(kept, null, 2)}\n`);
    return kept;
  };
  const list = (): readonly KeptConnection[] => namesIn(folder).map((file) => readKept(join(folder, file)));
  return {
    folder,
    list,
    find,
    open: (name) => {
      const kept = find(name);
      return kept === undefined ? undefined : opened(kept, keys);
    },
    save: (connection, now) => {
      const modified = new Date(now).toISOString();
      return write(sealed(connection, find(connection.name)?.created ?? modified, modified, currentKey(keys)));
    },
    delete: (name) => {
      const isThere = existsSync(pathOf(name));
      rmSync(pathOf(name), { force: true });
      return isThere;
    },
    encryptAgain: () => {
      const all = list().map((kept) => ({ kept, connection: opened(kept, keys) }));
      for (const { kept, connection } of all) write(sealed(connection, kept.created, kept.modified, currentKey(keys)));
      return all.length;
    },
  };
}

/**
 * Makes a new key and encrypts the secrets of these stores with it. Older keys are kept, so that stores elsewhere stay
 * readable, unless they are to be forgotten. Every secret is opened before anything is written.
 */
export function rotateKey(stores: readonly ConnectionStore[], keys: KeyPlaces, forgetsOld: boolean): number {
  for (const store of stores) for (const { name } of store.list()) store.open(name);
  addKey(keys);
  const count = stores.reduce((sum, store) => sum + store.encryptAgain(), 0);
  if (forgetsOld) forgetOldKeys(keys);
  return count;
}

function currentKey(keys: KeyPlaces): SecretKey {
  return readKeys(keys)[0] ?? addKey(keys);
}

function sealed(connection: Connection, created: string, modified: string, key: SecretKey): KeptConnection {
  const { name, type, configs, secrets } = connection;
  const kept = Object.entries(secrets).map(([field, secret]) => [field, sealSecret(secret, placeOf(name, field), key)]);
  return { format: 1, name, type, configs, secrets: Object.fromEntries(kept), created, modified };
}

function opened({ name, type, configs, secrets }: KeptConnection, places: KeyPlaces): Connection {
  const keys = Object.keys(secrets).length === 0 ? [] : readKeys(places);
  const open = Object.entries(secrets).map(([field, text]) => {
    const result = openSecret(text, placeOf(name, field), keys);
    if (result.ok) return [field, result.secret];
    throw result.keyId === undefined ? altered(name, field) : keyMissing(name, result.keyId, places);
  });
  return { name, type, configs, secrets: Object.fromEntries(open) };
}

function placeOf(name: string, field: string): string {
  return `${name}\0${field}`;
}

function keyMissing(name: string, id: string, { file }: KeyPlaces): ConnectionFileError {
  const places = [...(file === undefined ? [] : [file]), keyVariable].join(' and ');
  return new ConnectionFileError(
    `the secrets of connection "${name}" were encrypted with key ${id}, which is not here (looked in ${places}): bring that key, or enter the secrets again with flow connection create`,
  );
}

function altered(name: string, field: string): ConnectionFileError {
  return new ConnectionFileError(
    `the ${field} kept for connection "${name}" was altered or comes from another connection: enter it again with flow connection update ${name} --set ${field}=…`,
  );
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
}

function readKept(path: string): KeptConnection {
  const read = keptConnection.safeParse(parsed(path));
  if (read.success) return read.data;
  throw new ConnectionFileError(`${path} holds no connection of a store that this version of flow reads`);
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
