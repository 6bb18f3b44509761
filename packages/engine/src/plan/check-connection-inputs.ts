import type { ConnectionSource } from '../node/connection-source.ts';
import { isGiven } from '../node/node-definition.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, nodePlace, shownName } from './checked-node.ts';

/** Nodes that lack what the service behind their connection cannot do without, such as the name of a model. */
export function checkConnectionInputs(
  nodes: readonly CheckedNode[],
  connections: ConnectionSource,
): readonly Diagnostic[] {
  return nodes.flatMap((node) => {
    const { requiredByConnection: required } = node.inspection;
    const { connection: name = '', inputs } = node.definition;
    const names = required?.[connections.find(name)?.type ?? ''];
    if (names === undefined || names.some((one) => isGiven(inputs[one]))) return [];
    const [first = ''] = names;
    return [
      {
        severity: 'error',
        code: 'NODE_INPUT_MISSING',
        message: `node "${shownName(node)}" does not give "${first}", which connection "${name}" requires`,
        span: nodePlace(node),
        help: `add ${names.map((one) => `"${one}"`).join(' or ')} to the inputs of the node`,
        allowsRun: true,
      },
    ];
  });
}
