import { eachOf, type RunReader, type Usage } from '@unroll/engine';

/** Nodes that called a model: what their tokens were is told by their whole records alone. */
export async function nodesWithTokens(reader: Pick<RunReader, 'nodeCounts'>): Promise<readonly string[]> {
  const called = (await reader.nodeCounts()).filter((count) => count.promptTokens + count.completionTokens > 0);
  return [...new Set(called.map(({ node }) => node))];
}

/** Tokens of these nodes in the rows that ended, with what some of them were. */
export async function* recordedUsages(
  reader: RunReader,
  nodes: readonly string[],
): AsyncGenerator<{ readonly node: string; readonly usage: Usage }, void> {
  if (nodes.length === 0) return;
  for await (const { nodes: ends } of eachOf(reader.readRows({ nodes, ends: nodes, values: false }))) {
    for (const { node, usage } of ends) if (usage !== undefined) yield { node, usage };
  }
}
