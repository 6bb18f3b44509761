import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Connection, ConnectionSource, Diagnostic, JsonObject } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { modelProviders } from '../extras/model-providers.ts';
import { contentDigest } from '../identity/file-digest.ts';
import { takenName } from './check-connection.ts';
import { readConnectionFile } from './connection-file.ts';
import { ConnectionFileError } from './connection-file-error.ts';
import { connectionTypes, typeNameOf } from './connection-types.ts';
import { environmentHint, providerVariables } from './environment-hints.ts';
import { missingAddress, missingKey } from './missing-fields.ts';
import { storesOf } from './store/store-places.ts';
import { readConnection } from './written-connection.ts';

export { ConnectionFileError } from './connection-file-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConnectionOptions {
  /** A file given by name; read before all others. */
  readonly file?: string;
  /** Folders whose `connections.yaml`, `.flow/connections.yaml` and store are read, the nearest first. */
  readonly folders: readonly string[];
  readonly environment: Environment;
  /** A path as messages show it; as it is where absent. */
  readonly shown?: (path: string) => string;
}

const fileNames = ['connections.yaml', '.flow/connections.yaml'];

/** A connection that can be had, and where it is described. */
export interface ListedConnection {
  readonly name: string;
  readonly type: string;
  /** Path of a file, folder of a store, or `environment`. */
  readonly from: string;
  /** What keeps it from being used, or what it lacks, in a sentence. */
  readonly problem?: string;
}

export interface ListedConnectionSource extends ConnectionSource {
  list(): readonly ListedConnection[];
  /** What is doubtful in the files that describe those that can be had, or one of them. */
  doubts(name?: string): readonly Diagnostic[];
  /** Its values as they are written or kept, references to variables among them; undefined for one that is built in. */
  written(name: string): Connection | undefined;
}

/**
 * Connections by name: the built-in `offline` and `scripted:<file>`, then the files, nearest first, then the stores, then those
 * the environment describes. `${env:NAME}` in a value is replaced, and a secret decrypted, when the connection is asked for;
 * `<CONNECTION>_<KEY>` in the environment wins over what is written or kept.
 */
export function connectionSource(options: ConnectionOptions): ListedConnectionSource {
  const described = new Map<string, Described>();
  for (const one of allDescribed(options)) if (!described.has(one.name)) described.set(one.name, one);
  const names = (): readonly string[] => [...new Set(['offline', ...described.keys()])];
  return {
    find: (name) => {
      if (name === 'offline') return { name, type: 'offline', configs: {}, secrets: {} };
      if (name.startsWith(scriptPrefix)) return scripted(name, name.slice(scriptPrefix.length), options.folders);
      const found = described.get(name);
      return found === undefined ? undefined : withContent(withEnvironment(found, options));
    },
    names,
    hint: (name) => environmentHint(name, names()),
    problem: (name) => {
      const found = described.get(name);
      return found === undefined ? undefined : listed(found, options).problem;
    },
    written: (name) => described.get(name)?.open(),
    doubts: (name) =>
      [...described.values()].flatMap((one) => (name === undefined || name === one.name ? (one.doubts ?? []) : [])),
    list: () => [...described.values()].map((one) => marked(listed(one, options), one, options)),
  };
}

function listed(described: Described, options: ConnectionOptions): ListedConnection {
  const { name, type, from } = described;
  try {
    withEnvironment(described, options);
    return { name, type, from };
  } catch (error) {
    if (!(error instanceof ConnectionFileError)) throw error;
    if (error.brief !== undefined) return { name, type, from, problem: error.brief };
    const message = error.message.replace(`${shownAs(from, options)}: `, '').replace(/\.$/, '');
    return { name, type, from, problem: error.help === undefined ? message : `${message}. ${error.help}` };
  }
}

/** With what it lacks, where it can be opened. */
function marked(one: ListedConnection, described: Described, options: ConnectionOptions): ListedConnection {
  if (one.problem !== undefined) return one;
  const connection = withEnvironment(described, options);
  // That of a file is told with its place.
  const taken = described.doubts === undefined ? takenName(one.name, one.type) : undefined;
  const lacking = taken ?? missingAddress(connection) ?? missingKey(connection);
  return lacking === undefined ? one : { ...one, problem: `${lacking.message}: ${lacking.help}` };
}

const scriptPrefix = 'scripted:';

/** A connection answered from a file, found in the nearest folder that has it. */
function scripted(name: string, file: string, folders: readonly string[]): Connection {
  const path = folders.map((folder) => resolve(folder, file)).find((one) => existsSync(one));
  if (path === undefined) throw new ConnectionFileError(`connection "${name}": there is no file ${file}`);
  return withContent({ name, type: 'scripted', configs: { file: path }, secrets: {} });
}

/** Another file in the place of the one that answered gives other answers. */
function withContent(connection: Connection): Connection {
  const file = fileThatAnswers(connection);
  const content = file === undefined ? undefined : contentDigest(file);
  return content === undefined ? connection : { ...connection, content };
}

function fileThatAnswers({ type, configs: { file, model } }: Connection): string | undefined {
  if (type === 'scripted') return file;
  return type === 'llama_cpp' && model !== undefined ? resolve(model) : undefined;
}

interface Described extends ListedConnection {
  readonly doubts?: readonly Diagnostic[];
  /** Its values as they are written or kept; a secret is decrypted here. */
  open(): Connection;
}

function allDescribed({ file, folders, environment, shown = (path) => path }: ConnectionOptions): readonly Described[] {
  if (file !== undefined && !existsSync(file)) throw new ConnectionFileError(`there is no file ${shown(file)}`);
  const paths = [
    ...(file === undefined ? [] : [file]),
    ...folders.flatMap((folder) => fileNames.map((name) => join(folder, name))),
  ];
  return [
    ...paths.flatMap((path) => inFile(path, shown(path))),
    ...inStores(folders, environment),
    ...inEnvironment(environment),
  ];
}

/** What is wrong with a connection is told when it is asked for. */
function inFile(path: string, shown: string): readonly Described[] {
  if (!existsSync(path)) return [];
  return readConnectionFile(path, shown).map(({ name, fields, error, doubts }) => {
    if (error === undefined) return { ...describe(name, fields, path), doubts };
    const { type } = fields;
    const open = (): Connection => {
      throw error;
    };
    return { name, type: typeof type === 'string' ? type : '', from: path, open };
  });
}

function inStores(folders: readonly string[], environment: Environment): readonly Described[] {
  return storesOf(folders, environment).flatMap((store) =>
    store.list().map(({ name, type }) => {
      const open = (): Connection => {
        const connection = store.open(name);
        if (connection !== undefined) return connection;
        throw new ConnectionFileError(`connection "${name}" was deleted from ${store.folder} while flow ran`);
      };
      return { name, type, from: store.folder, open };
    }),
  );
}

function describe(name: string, fields: JsonObject, from: string): Described {
  const type = String(fields['type']);
  const open = (): Connection => {
    if (type === 'offline') return { name, type, configs: {}, secrets: {} };
    if (type === 'scripted') return scripted(name, String(fields['file'] ?? ''), [dirname(from)]);
    const connection = readConnection(name, withKeyVariable(type, fields));
    if (connection !== undefined) return connection;
    throw new Error(`bug: connection "${name}" has the unknown type "${type}"`);
  };
  return { name, type, from, open };
}

/** A provider's key is in its usual variable where the file tells of none. */
function withKeyVariable(type: string, fields: JsonObject): JsonObject {
  const variable = modelProviders[typeNameOf(type) ?? '']?.keyVariable;
  const hasKey = (fields['api_key'] ?? null) !== null || (fields['settings'] ?? null) !== null;
  return variable === undefined || hasKey ? fields : { ...fields, api_key: `\${env:${variable}}` };
}

/** What the libraries of OpenAI themselves read, and keys of other providers. */
function inEnvironment(environment: Environment): readonly Described[] {
  const found: Described[] = [];
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: base = '', OPENAI_ORG_ID: organization = '' } = environment;
  if (key !== undefined) {
    const fields = { type: 'open_ai', api_key: key, base_url: base, organization };
    found.push(describe('open_ai_connection', fields, 'environment'));
  }
  const { AZURE_OPENAI_ENDPOINT: endpoint, AZURE_OPENAI_API_KEY: azureKey, OPENAI_API_VERSION: version } = environment;
  if (endpoint !== undefined) {
    const fields = {
      type: 'azure_open_ai',
      api_base: endpoint,
      ...(azureKey === undefined ? { auth_mode: 'meid_token' } : { api_key: azureKey }),
      ...(version === undefined ? {} : { api_version: version }),
    };
    found.push(describe('azure_open_ai_connection', fields, 'environment'));
  }
  const keyed = providerVariables.filter(([, variable]) => (environment[variable] ?? '') !== '');
  return [...found, ...keyed.map(([type]) => describe(`${type}_connection`, { type }, 'environment'))];
}

/** Overrides laid on, also of fields that are not written, and references to variables resolved. */
function withEnvironment({ from, open }: Described, options: ConnectionOptions): Connection {
  const { environment } = options;
  const connection = open();
  const { name, type, configs, secrets } = connection;
  const known = ownValue(connectionTypes, type);
  if (known === undefined) return connection;
  const resolved = (fields: Connection['configs'], keys: readonly string[]): Connection['configs'] =>
    Object.fromEntries(
      [...new Set([...keys, ...Object.keys(fields)])].flatMap((key) => {
        const override = environment[overrideName(name, key)];
        const value = override ?? fields[key];
        if (value === undefined) return [];
        return [[key, override ?? resolveReferences(name, value, environment, shownAs(from, options))]];
      }),
    );
  return { name, type, configs: resolved(configs, known.configs), secrets: resolved(secrets, known.secrets) };
}

function shownAs(from: string, { shown = (path) => path }: ConnectionOptions): string {
  return shown(from);
}

/** The variable that wins over what is written of a connection. */
export function overrideName(name: string, key: string): string {
  return `${name}_${key}`.toUpperCase().replaceAll(' ', '_');
}

const reference = /\$\{env:([^}]+)\}/g;

function resolveReferences(name: string, value: string, environment: Environment, from: string): string {
  return value.replaceAll(reference, (_whole, variable: string) => {
    const found = environment[variable.trim()];
    if (found !== undefined) return found;
    throw new ConnectionFileError(
      `${from}: connection "${name}": Environment variable ${variable.trim()} is not found.`,
      `Set ${variable.trim()}, or write another value in place of \${env:${variable.trim()}}.`,
    );
  });
}
