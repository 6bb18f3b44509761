import type { RunInfo } from '@unroll/engine';
import type { ChangeKind, NodeDiff } from '@unroll/evals';
import type { Graph, GraphNode } from '../studio-contract/contract.ts';
import { graphView } from './graph-view.ts';
import type { HeldDiff } from './held-diffs.ts';

/** The nodes of both runs, each by why it differs, with the arrows along which differences went. */
export async function diffGraph(compared: HeldDiff, left: RunInfo, right: RunInfo): Promise<Graph> {
  const { diff, outputReads, options } = compared;
  const nodeOf = new Map(diff.nodes.flatMap((node) => node.instances.map((name) => [name, node] as const)));
  const byBox = new Map<string, NodeDiff>(diff.nodes.map((node) => [`node.${node.name}`, node]));
  const isChanged = (node: NodeDiff | undefined): boolean => (node?.changed ?? 0) > 0;
  return await graphView(ofBoth(compared, left, right), options.turns !== 'each', {
    index: undefined,
    firstBad: new Map(),
    changeOf: ({ instances }) => changeOf(nodeOf.get(instances[0]?.name ?? '')),
    carries: (from, to) => {
      if (from.startsWith('input.')) {
        return byBox.get(to)?.origins.some(({ name }) => name === `inputs.${from.slice('input.'.length)}`) === true;
      }
      if (!isChanged(byBox.get(from))) return false;
      if (!to.startsWith('output.')) return isChanged(byBox.get(to));
      return isChanged(nodeOf.get(outputReads.get(to.slice('output.'.length)) ?? ''));
    },
  });
}

/** Nodes that only the left run has stand where they were, and arrows as either run had them. */
function ofBoth({ graph }: HeldDiff, left: RunInfo, right: RunInfo): RunInfo {
  const lefts = new Map(left.nodes.map((node) => [node.name, node]));
  const rights = new Map(right.nodes.map((node) => [node.name, node]));
  const nodes = [...graph.values()].flatMap(({ name, reads, readsInputs }) => {
    const node = rights.get(name) ?? lefts.get(name);
    return node === undefined ? [] : [{ ...node, reads, readsInputs }];
  });
  return { ...right, nodes };
}

const weightiest: readonly ChangeKind[] = ['cause', 'both', 'unknown', 'input', 'effect', 'noise'];

/** `both` as soon as a row has it: its own change and what goes in cannot be told apart then. */
function changeOf(node: NodeDiff | undefined): NonNullable<GraphNode['change']> {
  if (node === undefined) return 'same';
  const kinds = weightiest.filter((kind) => (node.kinds[kind] ?? 0) > 0);
  return kinds.includes('both') ? 'both' : (kinds[0] ?? 'same');
}
