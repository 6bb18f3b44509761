import type { NodeError } from '../node/node-error.ts';
import type { ConnectionSource } from '../node/node-type.ts';
import { connectionReference } from '../plan/environment-reference.ts';
import { promptFlowCodes } from '../source/prompt-flow-codes.ts';

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
    const reference = connectionReference(text);
    if (reference === undefined) {
      values[name] = text;
      continue;
    }
    const connection = connections.find(reference.connection);
    if (connection === undefined) return { ok: false, error: missingConnection(reference.connection) };
    const { configs, secrets } = connection;
    const value = secrets[reference.key] ?? configs[reference.key];
    values[name] = value ?? text;
  }
  return { ok: true, values };
}

function missingConnection(name: string): NodeError {
  return {
    code: 'ConnectionNotFoundError',
    message: `Connection '${name}' is not found.`,
    retryable: false,
    codes: promptFlowCodes('ConnectionNotFoundError'),
  };
}
