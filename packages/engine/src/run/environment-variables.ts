import type { NodeError } from '../node/node-error.ts';
import type { ConnectionSource } from '../node/node-type.ts';
import { connectionReference } from '../plan/environment-reference.ts';

export type ResolvedEnvironment =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly error: NodeError };

/** The variables as programs get them: each `${connection.key}` replaced by what the connection holds. */
export function resolveEnvironment(
  written: Readonly<Record<string, string>>,
  connections: ConnectionSource,
): ResolvedEnvironment {
  const values: Record<string, string> = {};
  for (const [name, text] of Object.entries(written)) {
    const reference = connectionReference(text);
    if (reference === undefined) {
      values[name] = text;
      continue;
    }
    const connection = connections.find(reference.connection);
    if (connection === undefined) return { ok: false, error: missingConnection(reference.connection) };
    const { configs, secrets } = connection;
    const value = secrets[reference.key] ?? configs[reference.key];
    if (value === undefined) return { ok: false, error: missingKey(name, reference, { ...configs, ...secrets }) };
    values[name] = value;
  }
  return { ok: true, values };
}

function missingConnection(name: string): NodeError {
  return {
    code: 'ConnectionNotFoundError',
    message: `Connection '${name}' is not found.`,
    retryable: false,
    codes: ['UserError', 'ConnectionNotFoundError'],
  };
}

function missingKey(
  variable: string,
  { connection, key }: { readonly connection: string; readonly key: string },
  known: Readonly<Record<string, string>>,
): NodeError {
  const keys = Object.keys(known).join(', ');
  return {
    code: 'ConnectionKeyNotFound',
    message: `environment variable ${variable}: connection "${connection}" has no "${key}"; it has ${keys}`,
    retryable: false,
    codes: ['UserError', 'ConnectionKeyNotFound'],
  };
}
