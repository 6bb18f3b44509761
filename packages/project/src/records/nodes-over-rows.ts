import type { NodeRun, RunInfo, RunReader } from '@unroll/engine';

/** Names of the nodes that ran once over all rows of a run over data. */
export function namesOverRows({ data, nodes }: Pick<RunInfo, 'data' | 'nodes'>): ReadonlySet<string> {
  if (data === undefined) return new Set();
  return new Set(nodes.flatMap(({ name, aggregation }) => (aggregation === true ? [name] : [])));
}

/** Their records. They are kept with the first line, which need not be among the rows, and belong to no row. */
export async function nodesOverRows(reader: Pick<RunReader, 'info' | 'nodes'>): Promise<readonly NodeRun[]> {
  const names = namesOverRows(reader.info);
  return names.size === 0 ? [] : (await reader.nodes(0)).filter(({ node }) => names.has(node));
}
