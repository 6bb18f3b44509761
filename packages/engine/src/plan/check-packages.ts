import type { ConnectionSource } from '../node/connection-source.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, placeInNode } from './checked-node.ts';

/** Nodes that ask a service whose client is not installed: an optional package, which is needed by them alone. */
export function checkPackages(nodes: readonly CheckedNode[], connections: ConnectionSource): readonly Diagnostic[] {
  return nodes.flatMap((node) =>
    (node.inspection.missingPackages?.(connections) ?? []).map(({ message, install, path }) => ({
      severity: 'error',
      code: 'PACKAGE_MISSING',
      message,
      span: placeInNode(node, path),
      help: install,
      unreadyNode: node.spec.name,
    })),
  );
}
