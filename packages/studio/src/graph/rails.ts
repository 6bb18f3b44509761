import type { Graph } from '@unroll/project/studio-contract';

/** What of a rail is drawn beside one node; arrows that begin, or end, at the same node share a rail. */
interface RailPart {
  /** From 0, nearest to the nodes. */
  readonly lane: number;
  /** It comes from the node above, and goes on to the one below. */
  readonly isFromAbove: boolean;
  readonly goesOn: boolean;
  /** It leads into this node, or out of it. */
  readonly end?: 'in' | 'out';
  readonly carries: boolean;
}

export interface Rails {
  readonly lanes: number;
  /** By place of a node in the list. */
  readonly nodes: readonly { readonly followsLast: boolean; readonly parts: readonly RailPart[] }[];
}

interface Edge {
  readonly start: number;
  readonly end: number;
  readonly carries: boolean;
}

interface Rail {
  readonly first: number;
  readonly last: number;
  readonly edges: readonly Edge[];
}

/** The arrows of a flow whose nodes stand below each other: to the next node straight, to any other by a rail at the side. */
export function railsOf({ nodes, arrows }: Pick<Graph, 'nodes' | 'arrows'>): Rails {
  const place = new Map(nodes.map(({ id }, at) => [id, at]));
  const edges = arrows.flatMap(({ from, to, kind, carries }) => {
    const [start, end] = [place.get(from), place.get(to)];
    return start === undefined || end === undefined || start >= end || kind === 'again'
      ? []
      : [{ start, end, carries }];
  });
  const lanes = lanesOf(railsBetween(edges.filter(({ start, end }) => end > start + 1)));
  return {
    lanes: lanes.length,
    nodes: nodes.map((_, at) => ({
      followsLast: edges.some(({ start, end }) => end === at && start === at - 1),
      parts: lanes.flatMap((rails, lane) => rails.flatMap((rail) => partOf(rail, lane, at) ?? [])),
    })),
  };
}

/** Those that end at a node where more end than begin where they do; else those that begin at one. */
function railsBetween(edges: readonly Edge[]): readonly Rail[] {
  const count = (of: 'start' | 'end', at: number): number => edges.filter((edge) => edge[of] === at).length;
  const shared = Map.groupBy(edges, ({ start, end }) =>
    count('end', end) > count('start', start) ? `to ${end}` : `from ${start}`,
  );
  return [...shared.values()].map((of) => ({
    first: Math.min(...of.map(({ start }) => start)),
    last: Math.max(...of.map(({ end }) => end)),
    edges: of,
  }));
}

/** Short ones nearest to the nodes; none touches another in its lane. */
function lanesOf(rails: readonly Rail[]): readonly (readonly Rail[])[] {
  const lanes: Rail[][] = [];
  for (const rail of rails.toSorted((one, other) => one.last - one.first - (other.last - other.first))) {
    const free = lanes.find((lane) => lane.every(({ first, last }) => last < rail.first || first > rail.last));
    if (free === undefined) lanes.push([rail]);
    else free.push(rail);
  }
  return lanes;
}

function partOf({ first, last, edges }: Rail, lane: number, at: number): RailPart | undefined {
  if (at < first || at > last) return undefined;
  const [isIn, isOut] = [edges.some(({ end }) => end === at), edges.some(({ start }) => start === at)];
  return {
    lane,
    isFromAbove: at > first,
    goesOn: at < last,
    ...(isIn ? { end: 'in' as const } : isOut ? { end: 'out' as const } : {}),
    carries: edges.some(({ carries }) => carries),
  };
}
