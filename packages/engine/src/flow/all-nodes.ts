import type { FlowSpec, LoopSpec, NodeSpec } from './flow-spec.ts';

/** All nodes as they are written, those of loops last. */
export function allNodes(spec: FlowSpec): readonly NodeSpec[] {
  return [...spec.nodes, ...spec.loops.flatMap(loopNodes)];
}

/** The nodes of a loop, the one that ends it last. */
export function loopNodes({ nodes, finalize }: LoopSpec): readonly NodeSpec[] {
  return finalize === undefined ? nodes : [...nodes, finalize];
}
