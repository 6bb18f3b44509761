import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { FlowFiles, InputDefinition, NodeDefinition, NodeInspection, NodeType } from '../node/node-type.ts';
import type { Value } from '../value/json.ts';
import type { CheckedNode } from './checked-node.ts';

/** What the node types know of each node, in file order; nothing is run, and a node of no known type is known nothing of. */
export function inspectNodes(
  spec: FlowSpec,
  nodeTypes: ReadonlyMap<string, NodeType>,
  files: FlowFiles,
): readonly CheckedNode[] {
  return spec.nodes.map((node) => {
    const definition = nodeDefinition(node, spec);
    const type = nodeTypes.get(node.type);
    const inspection = type?.inspect(definition, files) ?? nothingKnown;
    return { spec: node, definition, inspection, hasSideEffects: type?.effects === 'writes' };
  });
}

const nothingKnown: NodeInspection = { diagnostics: [], takesAnyInput: true, files: [] };

function nodeDefinition(node: NodeSpec, spec: FlowSpec): NodeDefinition {
  const { name, type, source, connection, api, aggregation, settings } = node;
  return {
    name,
    type,
    ...(source === undefined ? {} : { source }),
    ...(connection === undefined ? {} : { connection }),
    ...(api === undefined ? {} : { api }),
    inputs: Object.fromEntries(Object.entries(node.inputs).map(([key, value]) => [key, inputDefinition(value)])),
    aggregation,
    settings,
    locate: (path, part) => spec.locate([...node.path, ...path], part),
  };
}

function inputDefinition(value: Value): InputDefinition {
  const reference = parseReference(value);
  if (reference === undefined) return { kind: 'literal', value };
  if (reference.kind === 'flow-input') return { kind: 'flow-input', input: reference.input };
  return { kind: 'node-output', node: reference.node, path: reference.property };
}
