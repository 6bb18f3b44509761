import type { Diagnostic } from '../source/diagnostic.ts';
import { type CheckedNode, placeInNode, shownName } from './checked-node.ts';

/** Other connections of nodes whose type asks only its own: they would never be asked. */
export function checkFallbacks(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes
    .filter(({ spec, inspection }) => spec.retry?.fallback !== undefined && inspection.takesFallback !== true)
    .map((node) => ({
      severity: 'warning',
      code: 'FLOW_UNKNOWN_KEY',
      message: `retry.fallback means nothing in node "${shownName(node)}" of type ${node.spec.type}: no other connection is asked`,
      span: placeInNode(node, ['retry', 'fallback'], 'key'),
      help: 'llm nodes and agents ask other connections',
    }));
}
