import {
  type Connection,
  Float,
  isMapping,
  type JsonObject,
  type JsonValue,
  ownValue,
  stringifyJson,
  textOrJson,
} from '@unroll/engine';
import { connectionTypes, isSecretSetting, strongTypeKeys, typeNameOf } from './connection-types.ts';

/**
 * A written connection with its fields told apart, defaults filled in; undefined for a type there is not. Values stay as they
 * are written, `${env:NAME}` and all.
 */
export function readConnection(name: string, fields: JsonObject): Connection | undefined {
  const type = typeNameOf(String(fields['type']));
  const known = type === undefined ? undefined : ownValue(connectionTypes, type);
  if (type === undefined || known === undefined) return undefined;
  if (type === 'custom') {
    const configs = { ...textsOf(fields['configs']), ...strongType(fields) };
    return { name, type, configs, secrets: textsOf(fields['secrets']) };
  }
  const all: JsonObject = { ...known.defaults, ...withoutNulls(fields) };
  const pick = (keys: readonly string[]): JsonObject => Object.fromEntries(keys.map((key) => [key, all[key] ?? null]));
  const settings = known.hasSettings === true ? settingsOf(fields) : [];
  const among = (isSecret: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(settings.filter(([path]) => isSecretSetting(path) === isSecret));
  return {
    name,
    type,
    configs: { ...textsOf(pick(known.configs)), ...among(false) },
    secrets: { ...textsOf(pick(known.secrets)), ...among(true) },
  };
}

type Setting = readonly [path: string, text: string];

/** `settings` by the paths of its members, as a mapping or already by paths, as a connection that is kept has them. */
function settingsOf(fields: JsonObject): readonly Setting[] {
  const written = Object.entries(withoutNulls(fields)).filter(
    ([key]) => key === 'settings' || key.startsWith('settings.'),
  );
  return written.flatMap(([path, value]) => settingsAt(path, value));
}

function settingsAt(path: string, value: JsonValue): readonly Setting[] {
  if (!isMapping(value)) return [[path, settingText(path, value)]];
  return Object.entries(withoutNulls(value)).flatMap(([key, member]) => settingsAt(`${path}.${key}`, member));
}

/** A text as it is, unless it would be read as something else; what is none as JSON. Secrets are always texts. */
function settingText(path: string, value: JsonValue): string {
  if (typeof value !== 'string') return stringifyJson(value);
  return !isSecretSetting(path) && /^(true|false|null|-?[\d.]+|\[.*\])$/s.test(value) ? JSON.stringify(value) : value;
}

function strongType(fields: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(strongTypeKeys).flatMap(([written, key]) => {
      const value = fields[written];
      const isText = typeof value === 'string' || typeof value === 'number' || value instanceof Float;
      return isText ? [[key, textOrJson(value)]] : [];
    }),
  );
}

function textsOf(members: JsonValue | undefined): Readonly<Record<string, string>> {
  return isMapping(members)
    ? Object.fromEntries(Object.entries(withoutNulls(members)).map(([key, value]) => [key, textOrJson(value)]))
    : {};
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
