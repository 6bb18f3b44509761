import { basename, resolve } from 'node:path';
import type { Connection, JsonObject } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import {
  authModes,
  connectionTypes,
  readConnection,
  readConnectionFile,
  typeHelp,
  typeNameOf,
  unknownKeys,
  unreadReference,
} from '@unroll/nodes';
import { orFailure } from '../connections/compose.ts';
import { readDotenvFile } from '../connections/environment-values.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';

/** Fields of a connection as a YAML file writes them. */
export interface WrittenFields {
  /** Where the file names it. */
  readonly name: string | undefined;
  readonly fields: JsonObject;
}

/**
 * Of a YAML file, or of a `.env` whose entries are all secrets.
 *
 * @param name which of them, where the file holds several
 * @param warn told of each line of a `.env` that is left out
 * @throws ProjectFailure when the file cannot be read or holds several connections and none is named
 */
export function readFieldsFile(
  file: string,
  name: string | undefined,
  system: System,
  warn: (message: string) => void,
): WrittenFields {
  if (/(^|\.)env$/.test(basename(file))) {
    return { name, fields: { type: 'custom', secrets: readDotenvFile(file, system, warn) } };
  }
  const all = orFailure(() => readConnectionFile(resolve(system.folder, file), file));
  const [only] = all.length === 1 ? all : all.filter((one) => one.name === name);
  if (only !== undefined) {
    const { error, ...given } = only;
    if (error !== undefined) throw new ProjectFailure(error.message, { code: 'ConnectionFileError' });
    return given;
  }
  throw new ProjectFailure(`${file} holds ${all.length} connections`, {
    help: `Name one with --name: ${all.map((one) => one.name).join(', ')}`,
  });
}

/** @param path a field, or `configs.key` and `secrets.key` of a custom connection */
export function withField(fields: JsonObject, [path, value]: readonly [string, JsonObject[string]]): JsonObject {
  const [part = '', key] = path.split(/\.(.*)/s);
  if (key === undefined || (part !== 'configs' && part !== 'secrets')) return { ...fields, [path]: value };
  const members = (fields[part] ?? {}) as JsonObject;
  return { ...fields, [part]: { ...members, [key]: value } };
}

/** Fields of a connection that is there, in the form of a file, to lay others over. */
export function fieldsOf({ type, configs, secrets }: Pick<Connection, 'type' | 'configs' | 'secrets'>): JsonObject {
  return type === 'custom' ? { type, configs, secrets } : { type, ...configs, ...secrets };
}

/** @throws ProjectFailure when there is no such type, with the nearest name, or the connection leads nowhere */
export function connectionOf(name: string, fields: JsonObject): Connection {
  const connection = readConnection(name, fields);
  if (connection !== undefined) return refuseUseless(connection);
  const written = fields['type'];
  const types = Object.keys(connectionTypes);
  if (typeof written !== 'string') {
    throw new ProjectFailure('a connection needs a type', { help: `--set type=…: ${types.join(', ')}` });
  }
  throw new ProjectFailure(`there is no connection type "${written}"`, {
    help: typeHelp(written),
  });
}

function refuseUseless(connection: Connection): Connection {
  const { name, type, configs } = connection;
  const { required } = ownValue(connectionTypes, type) ?? {};
  const { auth_mode: mode } = configs;
  if (required !== undefined && (configs[required] ?? '') === '') {
    throw new ProjectFailure(`connection "${name}" needs ${required}`, { help: `--set ${required}=… gives it.` });
  }
  if (type !== 'custom' && mode !== undefined && !authModes.includes(mode)) {
    throw new ProjectFailure(`connection "${name}": auth_mode is ${authModes.join(' or ')}, not "${mode}"`);
  }
  return connection;
}

/** What is doubtful: each field that the connection's type does not have, and each variable in a form that is not read. */
export function doubtfulFields(fields: JsonObject): readonly string[] {
  if (typeNameOf(String(fields['type'])) === undefined) return [];
  const unread = Object.entries(fields).flatMap(([key, value]) => unreadReference(key, value) ?? []);
  return [...unknownKeys(fields), ...unread].map(({ message, help }) => `${message}: ${help}`);
}
