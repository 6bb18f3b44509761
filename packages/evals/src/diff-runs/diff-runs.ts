import type { NodePair, RowPair, RowPattern } from '@unroll/engine';
import { attributeRow, differs } from '../attribute-changes/attribute-row.ts';
import type { PartChange } from '../attribute-changes/attribution.ts';
import type { GraphNode, RunGraph } from '../attribute-changes/run-graph.ts';
import { groupNodes, type NodeGroup } from './group-nodes.ts';
import type { NodeDiff, RowChange, RowCounts, RunDiff } from './run-diff.ts';
import { createTally, type NodeTally } from './tally-changes.ts';

/** Two runs as they were compared, row by row. */
export interface ComparedRows {
  readonly left: number;
  readonly right: number;
  readonly onlyLeft: number;
  readonly onlyRight: number;
  readonly patterns: readonly RowPattern[];
  /** Of the nodes that run once, over all rows. */
  readonly aggregation: readonly NodePair[];
}

/** What two runs differ in and why. Every pattern of differences is attributed once, however many rows are of it. */
export function diffRuns(
  rows: ComparedRows,
  graph: RunGraph,
  { byIteration }: { readonly byIteration: boolean },
): RunDiff {
  const groups = groupNodes(graph, byIteration);
  const groupOf = new Map(groups.flatMap((group) => group.nodes.map(({ name }) => [name, group.name] as const)));
  const tallies = new Map(groups.map(({ name }) => [name, createTally(name)]));
  const patterns = new Map<number, readonly RowChange[]>();
  for (const pattern of rows.patterns) {
    const changes = changesOf(pattern, graph, groupOf);
    if (changes.length > 0 || pattern.outputsDiffer) patterns.set(pattern.id, changes);
    addChanges(tallies, changes, { groupOf, rows: pattern.rows });
  }
  const overall = overallRow(rows, graph);
  const isAggregated = ({ pair }: RowChange): boolean => graph.get(pair.node)?.aggregation === true;
  addChanges(tallies, changesOf(overall, graph, groupOf).filter(isAggregated), { groupOf, rows: 1 });
  const paired = rows.patterns.reduce((sum, pattern) => sum + pattern.rows, 0);
  return {
    rows: countRows(rows, paired, patterns),
    nodes: groups.map((group) => nodeDiff(group, tallies.get(group.name) as NodeTally, paired)),
    patterns,
  };
}

function changesOf(row: RowPair, graph: RunGraph, groupOf: ReadonlyMap<string, string>): readonly RowChange[] {
  const attributions = attributeRow(row, graph);
  return row.nodes.flatMap((pair) => {
    const attribution = attributions.get(pair.node);
    return attribution === undefined ? [] : [{ of: groupOf.get(pair.node) ?? pair.node, pair, attribution }];
  });
}

function addChanges(
  tallies: ReadonlyMap<string, NodeTally>,
  changes: readonly RowChange[],
  places: { readonly groupOf: ReadonlyMap<string, string>; readonly rows: number },
): void {
  for (const [name, ofGroup] of Map.groupBy(changes, (change) => change.of)) {
    tallies.get(name)?.add(ofGroup, places.rows, (node) => places.groupOf.get(node) ?? node);
  }
}

/** One row that differs wherever any row does: what the nodes over all rows read. */
function overallRow({ patterns, aggregation }: ComparedRows, graph: RunGraph): RowPair {
  const differing = new Map<string, NodePair>();
  for (const pattern of patterns.toSorted((one, other) => other.rows - one.rows)) {
    for (const pair of pattern.nodes) if (differs(pair) && !differing.has(pair.node)) differing.set(pair.node, pair);
  }
  const inOrder = [...graph.keys()].flatMap((name) => differing.get(name) ?? []);
  const inputs = [...new Set(patterns.flatMap((pattern) => pattern.inputs))];
  return { left: 'Completed', right: 'Completed', outputsDiffer: false, inputs, nodes: [...inOrder, ...aggregation] };
}

function countRows(rows: ComparedRows, paired: number, differing: ReadonlyMap<number, unknown>): RowCounts {
  const count = (isMeant: (pattern: RowPattern) => boolean): number =>
    rows.patterns.reduce((sum, pattern) => sum + (isMeant(pattern) ? pattern.rows : 0), 0);
  return {
    left: rows.left,
    right: rows.right,
    paired,
    same: count(({ id }) => !differing.has(id)),
    outputsDiffer: count(({ outputsDiffer, left, right }) => outputsDiffer || left !== right),
    failedLeft: count(({ left, right }) => left === 'Failed' && right !== 'Failed'),
    failedRight: count(({ left, right }) => right === 'Failed' && left !== 'Failed'),
    onlyLeft: rows.onlyLeft,
    onlyRight: rows.onlyRight,
  };
}

function nodeDiff({ name, nodes }: NodeGroup, tally: NodeTally, paired: number): NodeDiff {
  const [first] = nodes as readonly [GraphNode, ...GraphNode[]];
  const counts = tally.counts();
  const sides = new Set(nodes.map((node) => node.onlyIn));
  const [onlyIn] = sides;
  return {
    name,
    kind: first.kind,
    instances: nodes.map((node) => node.name),
    isAggregation: first.aggregation,
    ...(sides.size === 1 && onlyIn !== undefined ? { onlyIn } : {}),
    changedParts: groupParts(nodes),
    same: (first.aggregation ? 1 : paired) - counts.changed,
    ...counts,
  };
}

/** Parts of the definition of nodes told of together that differ; undefined where a run does not tell. */
export function groupParts(nodes: readonly GraphNode[]): readonly PartChange[] | undefined {
  const inBoth = nodes.filter(({ onlyIn }) => onlyIn === undefined);
  if (inBoth.some(({ changedParts }) => changedParts === undefined)) return undefined;
  const isGrown = inBoth.length > 0 && inBoth.length < nodes.length;
  const parts = inBoth.flatMap(({ changedParts }) => changedParts ?? []);
  const named = [...parts, ...(isGrown ? [{ part: 'times' }] : [])].map((part) => [part.part, part] as const);
  return [...new Map(named).values()];
}
