import type { NodeRun, RunInfo, RunReader } from '@unroll/engine';

/** Names of the nodes that ran once over all rows of a run over data. */
export function namesOverRows({ data, nodes }: Pick<RunInfo, 'data' | 'nodes'>): ReadonlySet<string> {
  return data === undefined ? new Set() : aggregationNames(nodes);
}

function aggregationNames(nodes: RunInfo['nodes']): ReadonlySet<string> {
  return new Set(nodes.flatMap(({ name, aggregation }) => (aggregation === true ? [name] : [])));
}

/** Their records. They are kept with the first line, which need not be among the rows, and belong to no row. */
export async function nodesOverRows(reader: Pick<RunReader, 'info' | 'nodes'>): Promise<readonly NodeRun[]> {
  return await nodesNamed(namesOverRows(reader.info), reader);
}

async function nodesNamed(names: ReadonlySet<string>, reader: Pick<RunReader, 'nodes'>): Promise<readonly NodeRun[]> {
  return names.size === 0 ? [] : (await reader.nodes(0)).filter(({ node }) => names.has(node));
}

/** When the last of the nodes ended that ran after the rows, of a run of one row too; milliseconds since the epoch, 0 where there are none. */
export async function aggregationEnd(reader: Pick<RunReader, 'info' | 'nodes'>): Promise<number> {
  const runs = await nodesNamed(aggregationNames(reader.info.nodes), reader);
  return Math.max(0, ...runs.map(({ startedAt = 0, durationMs = 0 }) => startedAt + durationMs));
}
