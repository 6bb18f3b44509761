import type { ConnectionSource } from '../node/connection-source.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { stringifyJson } from '../value/json.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/** What stands where an input takes a connection and is none, or one of another type: the node could not be made ready. */
export function checkConnectionTypes(
  nodes: readonly CheckedNode[],
  connections: ConnectionSource,
): readonly Diagnostic[] {
  return nodes.flatMap((node) =>
    Object.entries(node.inspection.acceptedConnections ?? {}).flatMap(([name, accepted]) => {
      const input = node.definition.inputs[name];
      if (input?.kind !== 'literal' || input.value === null || input.value === '') return [];
      if (typeof input.value !== 'string') return [unnamed(node, name, stringifyJson(input.value), accepted)];
      const type = connections.find(input.value)?.type;
      return type === undefined || accepted.includes(type)
        ? []
        : [otherType(node, name, { name: input.value, type }, accepted)];
    }),
  );
}

function unnamed(node: CheckedNode, input: string, value: string, accepted: readonly string[]): Diagnostic {
  const message = `the input "${input}" of node "${shownName(node)}" takes the name of a connection, not ${value}`;
  return unfit(node, input, message, accepted);
}

function otherType(
  node: CheckedNode,
  input: string,
  connection: { readonly name: string; readonly type: string },
  accepted: readonly string[],
): Diagnostic {
  const message = `connection "${connection.name}" is of type ${connection.type}, which the input "${input}" of node "${shownName(node)}" does not take`;
  return unfit(node, input, message, accepted);
}

function unfit(node: CheckedNode, input: string, message: string, accepted: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    code: 'CONNECTION_TYPE',
    message,
    span: placeInNode(node, ['inputs', input]),
    help: `it takes ${accepted.join(' or ')}`,
    unreadyNode: node.spec.name,
  };
}
