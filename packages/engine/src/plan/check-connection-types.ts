import type { ConnectionSource } from '../node/connection-source.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/** Connections that are there and are of another type than the input takes: the node could not be made ready. */
export function checkConnectionTypes(
  nodes: readonly CheckedNode[],
  connections: ConnectionSource,
): readonly Diagnostic[] {
  return nodes.flatMap((node) =>
    Object.entries(node.inspection.acceptedConnections ?? {}).flatMap(([name, accepted]) => {
      const input = node.definition.inputs[name];
      if (input?.kind !== 'literal' || typeof input.value !== 'string' || input.value === '') return [];
      const type = connections.find(input.value)?.type;
      return type === undefined || accepted.includes(type)
        ? []
        : [unfit(node, name, { name: input.value, type }, accepted)];
    }),
  );
}

function unfit(
  node: CheckedNode,
  input: string,
  connection: { readonly name: string; readonly type: string },
  accepted: readonly string[],
): Diagnostic {
  return {
    severity: 'error',
    code: 'CONNECTION_TYPE',
    message: `connection "${connection.name}" is of type ${connection.type}, which the input "${input}" of node "${shownName(node)}" does not take`,
    span: placeInNode(node, ['inputs', input]),
    help: `it takes ${accepted.join(' or ')}`,
    unreadyNode: node.spec.name,
  };
}
