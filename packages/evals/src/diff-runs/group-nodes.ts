import type { GraphNode, RunGraph } from '../attribute-changes/run-graph.ts';

/** Nodes that are told of together. */
export interface NodeGroup {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
}

/** The instances of a loop's node as one group, every other node as its own; all as their own `byIteration`. */
export function groupNodes(graph: RunGraph, byIteration: boolean): readonly NodeGroup[] {
  const groups = Map.groupBy(graph.values(), (node) => (byIteration ? node.name : groupName(node)));
  return [...groups].map(([name, nodes]) => ({ name, nodes }));
}

function groupName({ name, loop, family, iteration }: GraphNode): string {
  return loop !== undefined && family !== undefined && iteration ? family : name;
}
