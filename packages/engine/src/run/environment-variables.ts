import type { ConnectionSource } from '../node/connection-source.ts';
import type { NodeError } from '../node/node-error.ts';
import { connectionReference, unsettable } from '../plan/environment-reference.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { pythonJson } from '../value/python-json.ts';
import { pythonStr } from '../value/python-text.ts';

export type ResolvedEnvironment =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly error: NodeError };

/**
 * The variables as programs get them: each `${connection.key}` replaced by what the connection holds. A key that the
 * connection does not have leaves the text as it is.
 */
export function resolveEnvironment(
  written: Readonly<Record<string, string>>,
  connections: ConnectionSource,
): ResolvedEnvironment {
  const values: Record<string, string> = {};
  for (const [name, text] of Object.entries(written)) {
    const value = resolveValue(text, connections);
    if (typeof value !== 'string') return { ok: false, error: value };
    const problem = unsettable(name, value);
    if (problem !== undefined) return { ok: false, error: wrongVariable(problem) };
    values[name] = value;
  }
  return { ok: true, values };
}

function resolveValue(text: string, connections: ConnectionSource): string | NodeError {
  const reference = connectionReference(text);
  if (reference === undefined) return text;
  const connection = connections.find(reference.connection);
  if (connection === undefined) return missingConnection(reference.connection);
  const { configs, secrets } = connection;
  const holder = [secrets, configs].find((one) => Object.hasOwn(one, reference.key));
  return holder?.[reference.key] ?? text;
}

function wrongVariable(message: string): NodeError {
  return { code: 'EnvironmentVariableInvalid', message, retryable: false };
}

function missingConnection(name: string): NodeError {
  return {
    code: 'ConnectionNotFoundError',
    message: `Connection '${name}' is not found.`,
    retryable: false,
  };
}

/** Lists and mappings as JSON, all else as Python prints it. */
export function environmentTexts(variables: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, environmentText(value)]));
}

function environmentText(value: JsonValue): string {
  const isContainer = typeof value === 'object' && value !== null && (Array.isArray(value) || isPlainObject(value));
  return isContainer ? pythonJson(value) : pythonStr(value);
}
