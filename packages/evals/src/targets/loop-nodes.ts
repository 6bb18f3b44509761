import type { RunNode } from '@unroll/engine';

/** Whether a node gives the result of a loop, or of an agent, which is one: it has the loop's name. */
export function isLoopResult(name: string, nodes: readonly RunNode[]): boolean {
  return nodes.some((node) => node.loop === name && node.name !== name);
}

/** These nodes and, where one gives the result of a loop, all nodes of that loop, those of agents in it too: the result alone took nothing. */
export function withLoopNodes(names: readonly string[], nodes: readonly RunNode[]): readonly string[] {
  const found = new Set(names);
  // Grows as it is gone through: an agent in a loop is a loop of its own.
  for (const name of found) for (const node of nodes) if (node.loop === name) found.add(node.name);
  return [...found];
}
