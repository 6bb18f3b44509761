import type { Connection, ConnectionSource, NodeError } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import { PrepareError, pythonRepr } from '@unroll/engine/values';
import { connectionTypes } from './connection-types.ts';

/** @throws PrepareError when there is none of that name */
export function requireConnection(name: string | undefined, node: string, connections: ConnectionSource): Connection {
  const found = name === undefined ? undefined : connections.find(name);
  if (found !== undefined) return found;
  const known = connections.names().map((one) => pythonRepr(one));
  const detail = `Connection ${pythonRepr(name ?? null)} not found in dict connection provider. Available keys are [${known.join(', ')}].`;
  throw new PrepareError(
    refuse('GetConnectionError', `Get connection '${name ?? 'None'}' for node '${node}' error: ${detail}`),
  );
}

/** Name of a connection's class in Prompt flow. */
export function connectionClass({ type }: Connection): string {
  return ownValue(connectionTypes, type)?.className ?? type;
}

function refuse(code: string, message: string): NodeError {
  return { code, message, retryable: false };
}
