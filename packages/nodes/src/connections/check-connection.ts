import {
  type Diagnostic,
  didYouMean,
  isMapping,
  type JsonObject,
  type JsonValue,
  ownValue,
  type Span,
} from '@unroll/engine';
import { connectionTypes, strongTypeKeys, typeHelp, typeNameOf } from './connection-types.ts';

type Locate = (keys: readonly string[], part?: 'key' | 'value') => Span | undefined;

/** Types that are answered without a service, and the fields they take. */
const ownTypes: Readonly<Record<string, readonly string[]>> = { offline: [], scripted: ['file'] };

/** What is wrong with one connection of a file, with places. */
export function checkConnection(name: string, fields: JsonValue, locate: Locate): readonly Diagnostic[] {
  const type = isMapping(fields) ? fields['type'] : undefined;
  if (!isMapping(fields) || typeof type !== 'string') {
    const help = 'type: open_ai, for instance';
    return [mistake('error', `connection "${name}" needs a "type"`, help, locate([], 'key') ?? locate([]))];
  }
  if (ownValue(ownTypes, type) === undefined && typeNameOf(type) === undefined) {
    return [mistake('error', `connection "${name}" has the unknown type "${type}"`, typeHelp(type), locate(['type']))];
  }
  const unknown = unknownKeys(fields).map(({ key, message, help }) =>
    mistake('warning', message, help, locate([key], 'key')),
  );
  const taken = takenName(name, type);
  const ofName = taken === undefined ? [] : [mistake('warning', taken.message, taken.help, locate([], 'key'))];
  return [...ofName, ...unknown, ...unsendable(fields, type, locate), ...unreadReferences(fields, [], locate)];
}

/** Nodes that name `offline` ask what is built in, whatever a file or a store describes under that name. */
export function takenName(name: string, type: string): Record<'message' | 'help', string> | undefined {
  if (name !== 'offline' || type === 'offline') return undefined;
  const message = 'nodes that name "offline" ask the stand-in that is built in, never a connection of that name';
  return { message, help: 'call it otherwise, and name that in the nodes' };
}

function unreadReferences(value: JsonValue, path: readonly string[], locate: Locate): readonly Diagnostic[] {
  if (isMapping(value)) {
    return Object.entries(value).flatMap(([key, member]) => unreadReferences(member, [...path, key], locate));
  }
  const found = unreadReference(path.join('.'), value);
  return found === undefined ? [] : [mistake('error', found.message, found.help, locate(path))];
}

/** `${NAME}` anywhere, `$A_NAME` alone; a password may well begin with a dollar sign, or hold one before a brace. */
const unreadForm = /\$\{(?!env:[^}]+\})[^}]*(?=\})|^\$\{[^}]*$|^\$[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** `${NAME}` would be sent as it stands. What stands there is told only where it is the name of a variable and no key. */
export function unreadReference(key: string, value: JsonValue): Record<'message' | 'help', string> | undefined {
  const [written] = typeof value === 'string' ? (unreadForm.exec(value) ?? []) : [];
  if (written === undefined) return undefined;
  const [name = 'NAME'] = /[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.exec(written) ?? [];
  const message = `"${key}" names a variable in a form that is not read, and would be sent as it stands`;
  return { message, help: `write \${env:${name}}` };
}

/** Keys are sent in headers, which take no character of another script; which one it is stays untold. */
function unsendable(fields: JsonObject, type: string, locate: Locate): readonly Diagnostic[] {
  const { secrets = [] } = ownValue(connectionTypes, typeNameOf(type) ?? type) ?? {};
  return secrets.flatMap((key) => {
    const value = fields[key];
    if (typeof value !== 'string' || value.startsWith('${') || /^[\x20-\x7e]*$/.test(value)) return [];
    const help = 'copy it again: is it written in full-width letters, or is a text for it still there?';
    return [mistake('error', `"${key}" holds a character that cannot be sent`, help, locate([key]))];
  });
}

function mistake(severity: Diagnostic['severity'], message: string, help: string, span: Span | undefined): Diagnostic {
  return { severity, code: 'CONNECTION_FILE', message, help, span };
}

const keysOfAll = ['name', 'type', '$schema', 'module', 'created_date', 'last_modified_date'];

export interface UnknownKey {
  readonly key: string;
  readonly message: string;
  readonly help: string;
}

/** Fields that the connection's type does not have. */
export function unknownKeys(fields: JsonObject): readonly UnknownKey[] {
  const written = String(fields['type']);
  const type = typeNameOf(written) ?? written;
  const keys = keysOf(type);
  const parts = type === 'custom' ? /^(configs|secrets)\..*/s : /^(settings)\..*/s;
  const isKnown = (key: string): boolean => keys.includes(key) || keys.includes(key.replace(parts, '$1'));
  return Object.keys(fields)
    .filter((key) => !isKnown(key) && !keysOfAll.includes(key))
    .map((key) => ({
      key,
      message: `a connection of type ${type} has no "${key}"`,
      help: didYouMean(key, keys) ?? helpOf(type, keys),
    }));
}

function keysOf(type: string): readonly string[] {
  // Any others are below these.
  if (type === 'custom') return ['configs', 'secrets', ...Object.keys(strongTypeKeys)];
  const { configs = [], secrets = [], hasSettings = false } = ownValue(connectionTypes, type) ?? {};
  return [...configs, ...secrets, ...(ownValue(ownTypes, type) ?? []), ...(hasSettings ? ['settings'] : [])];
}

function helpOf(type: string, keys: readonly string[]): string {
  if (type === 'custom') return 'it stands below configs, or below secrets where it is one';
  return keys.length === 0 ? 'it has none' : `it has ${keys.join(', ')}`;
}
