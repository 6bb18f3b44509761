import type { Graph, GraphNode } from '@unroll/project/studio-contract';

/** A flow that goes straight on, as it is read: inputs, nodes one after the other, loops as turns beside each other, outputs. */
export interface Lanes {
  readonly inputs: readonly GraphNode[];
  readonly items: readonly LaneItem[];
  readonly outputs: readonly GraphNode[];
}

type LaneItem =
  | { readonly kind: 'node'; readonly node: GraphNode }
  | { readonly kind: 'loop'; readonly loop: string; readonly turns: readonly LoopTurn[] };

export interface LoopTurn {
  /** From 1; 0 for the one turn of a folded loop. */
  readonly turn: number;
  readonly nodes: readonly GraphNode[];
}

/**
 * Lanes of a flow without branches; undefined for any other, which is drawn as the layout says. Whatever reads the state of a loop reads it
 * through the nodes between, so that only arrows past a node outside of loops count as branches.
 */
export function lanesOf(graph: Graph): Lanes | undefined {
  const nodes = graph.nodes.filter(({ kind }) => kind === 'node');
  const items = itemsOf(graph, nodes);
  if (nodes.length === 0 || !isChain(graph, items) || !items.every((item) => isStraight(graph, item))) return undefined;
  return {
    inputs: graph.nodes.filter(({ kind }) => kind === 'input'),
    items,
    outputs: graph.nodes.filter(({ kind }) => kind === 'output'),
  };
}

function itemsOf(graph: Graph, nodes: readonly GraphNode[]): readonly LaneItem[] {
  const items: LaneItem[] = [];
  for (const node of nodes) {
    const { loop, iteration = 0 } = node;
    if (loop === undefined || iteration === 0) items.push({ kind: 'node', node });
    else if (!items.some((item) => item.kind === 'loop' && item.loop === loop))
      items.push({ kind: 'loop', loop, turns: turnsOf(graph, nodes, loop) });
  }
  return items;
}

function turnsOf({ groups }: Graph, nodes: readonly GraphNode[], loop: string): readonly LoopTurn[] {
  const inside = nodes.filter((node) => node.loop === loop && (node.iteration ?? 0) > 0);
  const isUnfolded = groups.some((group) => group.loop === loop && group.iteration !== undefined);
  const turns = Map.groupBy(inside, ({ iteration = 0 }) => iteration);
  return [...turns].map(([turn, found]) => ({ turn: isUnfolded ? turn : 0, nodes: found }));
}

/** Each item is read by the next one, and none by one further on. */
function isChain({ nodes, arrows }: Graph, items: readonly LaneItem[]): boolean {
  const place = new Map(items.flatMap((item, index) => idsOf(item).map((id) => [id, index] as const)));
  const steps = arrows.flatMap(({ from, to, kind }) => {
    const [start, end] = [place.get(from), place.get(to)];
    return start === undefined || end === undefined || start === end || kind === 'again' ? [] : [{ start, end }];
  });
  const isNext = (index: number): boolean => steps.some(({ start, end }) => start === index && end === index + 1);
  const isStraightOn =
    steps.every(({ start, end }) => end === start + 1) && items.slice(1).every((_, index) => isNext(index));
  return isStraightOn && endsInOutputs(nodes, arrows, items.at(-1));
}

/** Not where the last one is a node over all rows, or one that nothing reads: the outputs then come from one before it. */
function endsInOutputs(nodes: Graph['nodes'], arrows: Graph['arrows'], last: LaneItem | undefined): boolean {
  const outputs = nodes.filter(({ kind }) => kind === 'output').map(({ id }) => id);
  const ids = last === undefined ? [] : idsOf(last);
  return outputs.length === 0 || arrows.some(({ from, to }) => ids.includes(from) && outputs.includes(to));
}

function idsOf(item: LaneItem): readonly string[] {
  return item.kind === 'node' ? [item.node.id] : item.turns.flatMap(({ nodes }) => nodes.map(({ id }) => id));
}

/** Within each turn every node is read by the next. */
function isStraight({ arrows }: Graph, item: LaneItem): boolean {
  if (item.kind === 'node') return true;
  const isRead = (from: GraphNode, to: GraphNode | undefined): boolean =>
    to === undefined || arrows.some((arrow) => arrow.from === from.id && arrow.to === to.id);
  return item.turns.every(({ nodes }) => nodes.every((node, index) => isRead(node, nodes[index + 1])));
}
