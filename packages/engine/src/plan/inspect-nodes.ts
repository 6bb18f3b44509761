import type { FlowSpec } from '../flow/flow-spec.ts';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { FlowFiles, NodeType } from '../node/node-type.ts';
import { builtInTools } from './built-in-tools.ts';
import type { CheckedNode } from './checked-node.ts';
import { defineNode } from './define-node.ts';

/** What the node types know of each node, in file order; nothing is run, and of a node of no known type nothing is known. */
export function inspectNodes(
  spec: FlowSpec,
  nodeTypes: ReadonlyMap<string, NodeType>,
  files: FlowFiles,
): readonly CheckedNode[] {
  return spec.nodes.map((node) => {
    const definition = defineNode(spec, node);
    const type = nodeTypes.get(node.type);
    const own = builtInTools.get(node.source?.tool ?? '');
    const inspection = (own ?? type)?.inspect(definition, files) ?? nothingKnown;
    return {
      spec: node,
      definition,
      inspection,
      hasSideEffects: type?.effects === 'writes' || type?.effects === 'may write',
    };
  });
}

const nothingKnown: NodeInspection = { diagnostics: [], takesAnyInput: true, files: [] };
