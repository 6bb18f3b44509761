import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Connection, type ConnectionSource, parseYaml, type Value, type Values } from '@unroll/engine';
import { connectionTypes, typeNameOf } from './connection-types.ts';

export interface ConnectionOptions {
  /** A file given by name; read before all others. */
  readonly file?: string;
  /** Folders whose `connections.yaml` or `.flow/connections.yaml` is read, the nearest first. */
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A file of connections that cannot be used, with its path and what is wrong; never with a value of it. */
export class ConnectionFileError extends Error {}

const fileNames = ['connections.yaml', '.flow/connections.yaml'];

/**
 * Connections by name: the built-in `offline` and `scripted:<file>`, then the files, nearest first, then those the environment describes.
 * `${env:NAME}` in a value is replaced when the connection is asked for; `<CONNECTION>_<KEY>` in the environment wins
 * over a written value.
 */
export function connectionSource(options: ConnectionOptions): ConnectionSource {
  const written = new Map<string, Written>();
  for (const [key, value] of allWritten(options)) if (!written.has(key)) written.set(key, value);
  return {
    find: (name) => {
      if (name === 'offline') return { name, type: 'offline', configs: {}, secrets: {} };
      if (name.startsWith(scriptPrefix)) return scripted(name, name.slice(scriptPrefix.length), options.folders);
      const found = written.get(name);
      return found === undefined ? undefined : toConnection(name, found, options.environment);
    },
    names: () => ['offline', ...written.keys()],
  };
}

const scriptPrefix = 'scripted:';

/** A connection answered from a file, found in the nearest folder that has it. */
function scripted(name: string, file: string, folders: readonly string[]): Connection {
  const path = folders.map((folder) => resolve(folder, file)).find((one) => existsSync(one));
  if (path === undefined) throw new ConnectionFileError(`connection "${name}": there is no file ${file}`);
  return { name, type: 'scripted', configs: { file: path }, secrets: {} };
}

function allWritten({ file, folders, environment }: ConnectionOptions): readonly (readonly [string, Written])[] {
  if (file !== undefined && !existsSync(file)) throw new ConnectionFileError(`there is no file ${file}`);
  const paths = [
    ...(file === undefined ? [] : [file]),
    ...folders.flatMap((folder) => fileNames.map((name) => join(folder, name))),
  ];
  return [...paths.flatMap(readFile), ...fromEnvironment(environment)];
}

interface Written {
  readonly path: string;
  readonly fields: Values;
}

function readFile(path: string): readonly (readonly [string, Written])[] {
  if (!existsSync(path)) return [];
  const { value, diagnostics } = parseYaml({ path, text: readFileSync(path, 'utf8') });
  const [first] = diagnostics;
  if (first !== undefined) throw new ConnectionFileError(`${path} cannot be read: ${first.message}`);
  const connections =
    isMapping(value) && typeof value['type'] === 'string' ? { [String(value['name'] ?? 'default')]: value } : value;
  if (!isMapping(connections)) throw new ConnectionFileError(`${path} is no mapping of names to connections`);
  return Object.entries(connections).map(([name, fields]) => {
    if (!isMapping(fields) || typeof fields['type'] !== 'string')
      throw new ConnectionFileError(`${path}: connection "${name}" needs a "type"`);
    return [name, { path, fields }];
  });
}

function isMapping(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromEnvironment(environment: ConnectionOptions['environment']): readonly (readonly [string, Written])[] {
  const found: [string, Written][] = [];
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: base = '', OPENAI_ORG_ID: organization = '' } = environment;
  if (key !== undefined) {
    found.push([
      'open_ai_connection',
      { path: 'environment', fields: { type: 'open_ai', api_key: key, base_url: base, organization } },
    ]);
  }
  const { AZURE_OPENAI_ENDPOINT: endpoint, AZURE_OPENAI_API_KEY: azureKey, OPENAI_API_VERSION: version } = environment;
  if (endpoint !== undefined) {
    const fields = {
      type: 'azure_open_ai',
      api_base: endpoint,
      ...(azureKey === undefined ? { auth_mode: 'meid_token' } : { api_key: azureKey }),
      ...(version === undefined ? {} : { api_version: version }),
    };
    found.push(['azure_open_ai_connection', { path: 'environment', fields }]);
  }
  return found;
}

function toConnection(
  name: string,
  { path, fields }: Written,
  environment: ConnectionOptions['environment'],
): Connection {
  const type = typeNameOf(String(fields['type']));
  if (type === undefined) {
    if (fields['type'] === 'offline') return { name, type: 'offline', configs: {}, secrets: {} };
    if (fields['type'] === 'scripted') return scripted(name, String(fields['file'] ?? ''), [dirname(path)]);
    throw new ConnectionFileError(`${path}: connection "${name}" has the unknown type "${String(fields['type'])}"`);
  }
  const textOf = (key: string, value: Value): string => resolveValue(name, key, value, environment, path);
  if (type === 'custom') return customConnection(name, fields, textOf);
  const known = connectionTypes[type];
  if (known === undefined) throw new Error(`bug: no connection type ${type}`);
  const all: Values = { ...known.defaults, ...fields };
  const pick = (keys: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = all[key] ?? environment[overrideName(name, key)] ?? null;
        return value === null ? [] : [[key, textOf(key, value)]];
      }),
    );
  return { name, type, configs: pick(known.configs), secrets: pick(known.secrets) };
}

function customConnection(name: string, fields: Values, resolve: (key: string, value: Value) => string): Connection {
  const part = (key: string): Record<string, string> => {
    const members = fields[key];
    return isMapping(members)
      ? Object.fromEntries(Object.entries(members).map(([inner, value]) => [inner, resolve(inner, value)]))
      : {};
  };
  return { name, type: 'custom', configs: part('configs'), secrets: part('secrets') };
}

function overrideName(name: string, key: string): string {
  return `${name}_${key}`.toUpperCase().replaceAll(' ', '_');
}

const reference = /\$\{env:([^}]+)\}/g;

function resolveValue(
  name: string,
  key: string,
  value: Value,
  environment: ConnectionOptions['environment'],
  path: string,
): string {
  const override = environment[overrideName(name, key)];
  if (override !== undefined) return override;
  return String(value).replaceAll(reference, (_whole, variable: string) => {
    const found = environment[variable.trim()];
    if (found !== undefined) return found;
    throw new ConnectionFileError(
      `${path}: connection "${name}": Environment variable ${variable.trim()} is not found.`,
    );
  });
}
