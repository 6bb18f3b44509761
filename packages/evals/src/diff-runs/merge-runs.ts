import type { NodeAlignment, RunInfo, RunNode } from '@unroll/engine';
import type { GraphNode, RunGraph } from '../attribute-changes/run-graph.ts';

/** The graph of both runs, its nodes in the order of `aligned`. */
export function mergeRuns(left: RunInfo, right: RunInfo, aligned: readonly NodeAlignment[]): RunGraph {
  const newNames = new Map(aligned.flatMap((pair) => (pair.left === undefined ? [] : [[pair.left, nameOf(pair)]])));
  const lefts = new Map(left.nodes.map((node) => [node.name, node]));
  const rights = new Map(right.nodes.map((node) => [node.name, node]));
  return new Map(
    aligned.map((pair) => {
      const [one, other] = [lefts.get(pair.left ?? ''), rights.get(pair.right ?? '')];
      const changedParts = changedPartsOf(left, right, pair);
      return [nameOf(pair), graphNode({ name: nameOf(pair), one, other, changedParts, newNames })];
    }),
  );
}

export function nameOf({ left, right }: NodeAlignment): string {
  return right ?? left ?? '';
}

interface Sides {
  readonly name: string;
  readonly one: RunNode | undefined;
  readonly other: RunNode | undefined;
  readonly changedParts: readonly string[] | undefined;
  /** Names of the left run's nodes in the right one. */
  readonly newNames: ReadonlyMap<string, string>;
}

function graphNode({ name, one, other, changedParts, newNames }: Sides): GraphNode {
  const node = other ?? one;
  if (node === undefined) throw new Error(`bug: node ${name} is in neither run`);
  const { kind, loop, family, iteration, aggregation = false } = node;
  const oldReads = (one?.reads ?? []).map((read) => newNames.get(read) ?? read);
  return {
    name,
    kind,
    ...(loop === undefined ? {} : { loop }),
    ...(family === undefined ? {} : { family }),
    ...(iteration === undefined ? {} : { iteration }),
    aggregation,
    ...(one === undefined ? { onlyIn: 'right' } : other === undefined ? { onlyIn: 'left' } : {}),
    reads: [...new Set([...(other?.reads ?? []), ...oldReads])],
    readsInputs: [...new Set([...(other?.readsInputs ?? []), ...(one?.readsInputs ?? [])])],
    changedParts,
  };
}

/** Parts of a node's definition whose digests differ; undefined where a run does not tell them. */
function changedPartsOf(left: RunInfo, right: RunInfo, pair: NodeAlignment): readonly string[] | undefined {
  const one = left.nodeDefinitions?.[pair.left ?? ''];
  const other = right.nodeDefinitions?.[pair.right ?? ''];
  if (one === undefined || other === undefined) return undefined;
  const parts = new Set([...Object.keys(other), ...Object.keys(one)]);
  return [...parts].filter((part) => one[part] !== other[part]);
}
