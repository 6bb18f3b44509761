import type { NodeSpec } from '../flow/flow-spec.ts';
import type { NodeDefinition } from '../node/node-definition.ts';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { Span } from '../source/source-file.ts';

/** A node as the checks see it: as written, after loops are unrolled, and what its type knows of it. */
export interface CheckedNode {
  readonly spec: NodeSpec;
  readonly definition: NodeDefinition;
  readonly inspection: NodeInspection;
  /** Whether running it changes something outside the flow, so that it may be there for that alone. */
  readonly hasSideEffects: boolean;
}

/** The name the author gave: instances of a loop go by their family, so that the same mistake reads the same. */
export function shownName(node: CheckedNode): string {
  return node.spec.instance?.family ?? node.spec.name;
}

/** Where a key of a node stands; the node's name where the key is not written. */
export function placeInNode(
  node: CheckedNode,
  path: readonly (string | number)[],
  part: 'key' | 'value' = 'value',
): Span | undefined {
  return node.definition.locate(path, part) ?? nodePlace(node);
}

export function nodePlace(node: CheckedNode): Span | undefined {
  return node.definition.locate(['name'], 'value') ?? node.definition.locate([], 'value');
}
