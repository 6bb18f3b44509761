import { DirectedGraph } from 'graphology';
import { parseReference } from '../flow/reference.ts';
import type { CheckedNode } from './checked-node.ts';

/**
 * The nodes by name, with an arrow from each node to those that wait for it; references to nodes that do not exist are
 * left out. Made for one question and thrown away.
 */
export function flowGraph(nodes: readonly CheckedNode[]): DirectedGraph {
  const graph = new DirectedGraph({ allowSelfLoops: true });
  for (const node of nodes) graph.mergeNode(node.spec.name);
  for (const node of nodes) {
    for (const source of readNodes(node)) if (graph.hasNode(source)) graph.mergeEdge(source, node.spec.name);
  }
  return graph;
}

/** Names of the nodes whose output a node reads: through its inputs, then through `activate`. */
export function readNodes(node: CheckedNode): readonly string[] {
  const read = Object.values(node.definition.inputs).flatMap((input) =>
    input.kind === 'node-output' ? [input.node] : [],
  );
  const condition = parseReference(node.spec.activate?.when);
  return condition?.kind === 'node' ? [...read, condition.node] : read;
}

/** The nodes given and all that they wait for, directly or not. */
export function withAllBefore(graph: DirectedGraph, names: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...names].filter((name) => graph.hasNode(name));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...graph.inNeighbors(name));
  }
  return found;
}
