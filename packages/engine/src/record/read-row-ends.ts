import { nodeSummary, rowHead } from './read-columns.ts';
import type { NodeSummary, RowSummary } from './run-reader.ts';
import {
  isNodeEndSound,
  isRowEndSound,
  type NodeEndColumns,
  nodeEndColumns,
  prepareLists,
  type RecordSource,
  type RowEndColumns,
  recordDamaged,
  rowDamage,
  rowEndColumns,
} from './stored-ends.ts';

/** How rows and their nodes ended, from the narrow records of a file alone: two ordered reads, side by side. */
export function* readRowEnds(source: RecordSource): Generator<RowSummary> {
  const { database, path, expected, onDamage } = source;
  const rows = prepareLists(database, `SELECT ${rowEndColumns} FROM row_ends ORDER BY line, repeat`).iterate();
  const nodes = nodeGroups(source);
  let group = nodes.next();
  for (const columns of rows as Iterable<unknown> as Iterable<RowEndColumns>) {
    const [line, repeat] = columns;
    // The place of one that is damaged may be anywhere: nodes of rows after it stay where they are.
    const isSound = isRowEndSound(columns);
    while (isSound && group.done !== true && isBefore(group.value, { line, repeat })) group = nodes.next();
    const isOfRow = group.done !== true && group.value.line === line && group.value.repeat === repeat;
    const ofRow = isOfRow && group.done !== true ? group.value : noNodes;
    const isWhole = isSound && !ofRow.isDamaged && expected.areFound({ line, repeat }, ofRow.ids);
    if (isWhole) yield { ...rowHead(columns), nodes: ofRow.nodes };
    else onDamage(rowDamage(path, { line, repeat }, recordDamaged));
  }
  nodes.return(undefined);
}

interface Place {
  readonly line: number;
  readonly repeat: number;
}

interface NodeGroup extends Place {
  readonly nodes: readonly NodeSummary[];
  readonly ids: readonly number[];
  readonly isDamaged: boolean;
}

const noNodes: Omit<NodeGroup, keyof Place> = { nodes: [], ids: [], isDamaged: false };

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.repeat < other.repeat);
}

function* nodeGroups({ database, names }: RecordSource): Generator<NodeGroup, undefined> {
  const rows = prepareLists(database, `SELECT ${nodeEndColumns} FROM node_ends ORDER BY line, repeat`).iterate();
  let group: (Place & { readonly nodes: NodeSummary[]; readonly ids: number[]; isDamaged: boolean }) | undefined;
  for (const columns of rows as Iterable<unknown> as Iterable<NodeEndColumns>) {
    const [line, repeat] = columns;
    if (group === undefined || group.line !== line || group.repeat !== repeat) {
      if (group !== undefined) yield group;
      group = { line, repeat, nodes: [], ids: [], isDamaged: false };
    }
    group.ids.push(columns[2]);
    if (isNodeEndSound(columns)) group.nodes.push(nodeSummary(columns, names.of(columns[2])));
    else group.isDamaged = true;
  }
  if (group !== undefined) yield group;
  return undefined;
}
