import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import { parseReference } from '../flow/reference.ts';
import type { InputDefinition, NodeDefinition } from '../node/node-definition.ts';
import type { JsonValue } from '../value/json.ts';

/** A node as node types see it. */
export function defineNode(spec: FlowSpec, node: NodeSpec): NodeDefinition {
  return {
    name: node.name,
    type: node.type,
    ...(node.source === undefined ? {} : { source: node.source }),
    ...(node.connection === undefined ? {} : { connection: node.connection }),
    ...(node.api === undefined ? {} : { api: node.api }),
    inputs: Object.fromEntries(Object.entries(node.inputs).map(([name, value]) => [name, defineInput(value)])),
    aggregation: node.aggregation,
    settings: node.retry === undefined ? node.settings : { ...node.settings, retry: { ...node.retry } },
    ...(node.chosen === undefined ? {} : { chosen: node.chosen }),
    locate: (path, part) => spec.locate([...node.path, ...path], part),
  };
}

function defineInput(value: JsonValue): InputDefinition {
  const reference = parseReference(value);
  if (reference === undefined) return { kind: 'literal', value };
  if (reference.kind === 'flow-input') return { kind: 'flow-input', input: reference.input };
  return { kind: 'node-output', node: reference.node, path: reference.property };
}
