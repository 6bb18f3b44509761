import type { ConnectionSource } from '../node/connection-source.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, placeInNode } from './checked-node.ts';

/** Connections that are there and hardly do for the node that names them. The run is tried all the same, unless it is certain that they do not. */
export function checkConnectionDoubts(
  nodes: readonly CheckedNode[],
  connections: ConnectionSource,
): readonly Diagnostic[] {
  return nodes.flatMap((node) =>
    (node.inspection.connectionDoubts?.(connections) ?? []).map(
      ({ isCertain, isMissing, allowsRun, message, help, path, span }) => ({
        severity: isCertain === true ? 'error' : 'warning',
        code: isMissing === true ? 'CONNECTION_MISSING' : 'CONNECTION_DOUBT',
        message,
        span: span ?? placeInNode(node, path),
        help,
        ...(allowsRun === undefined ? {} : { allowsRun }),
      }),
    ),
  );
}
