import type { RunStore, Usage } from '@unroll/engine';

/** Nodes that called a model: what their tokens were is told by their whole records alone. */
export function nodesWithTokens(store: Pick<RunStore, 'nodeCounts'>): readonly string[] {
  const called = store.nodeCounts().filter((count) => count.promptTokens + count.completionTokens > 0);
  return [...new Set(called.map(({ node }) => node))];
}

/** Tokens of these nodes in the rows that ended, with what some of them were. */
export function* recordedUsages(
  store: RunStore,
  nodes: readonly string[],
): Generator<{ readonly node: string; readonly usage: Usage }> {
  if (nodes.length === 0) return;
  for (const { nodes: ends } of store.readRows({ nodes, ends: nodes, values: false })) {
    for (const { node, usage } of ends) if (usage !== undefined) yield { node, usage };
  }
}
