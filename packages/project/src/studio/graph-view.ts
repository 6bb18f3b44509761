import type { RunInfo } from '@unroll/engine';
import { type DrawnNode, drawnNodes, drawRun, layoutPicture, type PlacedPicture } from '../graph/index.ts';
import { sumOfSpent } from '../prices/spent.ts';
import { type NodeIndex, nodeIndex, type RowIndex } from '../row-index/row-index.ts';
import type { Graph, GraphNode, Measure, NodeCounts } from '../studio-contract/contract.ts';
import { costFigure, countFigure, durationFigure } from './figures.ts';

/** What is told of boxes beside their place. */
export interface GraphFacts {
  readonly index: RowIndex | undefined;
  /** By name of a node, its instances among them. */
  readonly firstBad: ReadonlyMap<string, number>;
  /** Score of what is measured by one of these names (a node, its instances, an output), and whether a gate of it fails. */
  readonly scoreOf?: (names: readonly string[]) => NodeScore | undefined;
  readonly changeOf?: (drawn: DrawnNode) => GraphNode['change'];
  /** By ids of boxes: a difference goes from one to the other. */
  readonly carries?: (from: string, to: string) => boolean;
}

export interface NodeScore {
  readonly measure: Measure;
  readonly gateFails: boolean;
  readonly trend?: 'better' | 'worse';
}

/** Room for a figure beside the name, and for two lines of how its rows ended: the same before and after they are known. */
const boxSize = { width: 126, height: 62, maxWidth: 230 };

/** The graph of a run with the places of its boxes, and what its rows came to in each. */
export async function graphView(info: RunInfo, isFolded: boolean, facts: GraphFacts): Promise<Graph> {
  const placed = await layoutPicture(drawRun(info, isFolded), boxSize);
  const drawn = new Map(drawnNodes(info.nodes, isFolded).map((node) => [node.id, node]));
  const nodes = placed.boxes.map((box) => boxView(box, drawn.get(box.box.id), facts));
  return {
    width: placed.width,
    height: placed.height,
    nodes: withLevels(nodes),
    arrows: placed.arrows.map(({ arrow, points }) => ({
      from: arrow.from,
      to: arrow.to,
      kind: arrow.kind,
      label: arrow.label,
      points: points.map(({ x, y }) => ({ x: rounded(x), y: rounded(y) })),
      carries: facts.carries?.(arrow.from, arrow.to) ?? false,
    })),
    groups: placed.groups.map((group) => {
      const [, loop = '', iteration] = /^loop\.(.+?)(?:\.(\d+))?$/.exec(group.group.id) ?? [];
      return {
        id: group.group.id,
        label: group.group.label,
        loop,
        ...(iteration === undefined ? {} : { iteration: Number(iteration) }),
        parent: group.group.parent,
        ...cornered(group),
      };
    }),
  };
}

function boxView(placed: PlacedPicture['boxes'][number], drawn: DrawnNode | undefined, facts: GraphFacts): GraphNode {
  const { box } = placed;
  const instances = drawn?.instances ?? [];
  const [first] = instances;
  const score = facts.scoreOf?.(measuredNames(box, drawn));
  const change = drawn === undefined ? undefined : facts.changeOf?.(drawn);
  const counts = countsOf(instances, facts.index);
  return {
    id: box.id,
    label: drawn?.label ?? box.label,
    kind: box.kind,
    type: box.type,
    written: first?.place,
    nodes: instances.map(({ name }) => name),
    loop: first?.loop,
    family: first?.family,
    iteration: first?.iteration,
    isAggregation: box.aggregation,
    ...cornered(placed),
    counts,
    measures: { ...measuresOf(instances, facts.index), ...(score === undefined ? {} : { score: score.measure }) },
    gateFails: score?.gateFails ?? false,
    firstBad: instances.reduce((sum, { name }) => sum + (facts.firstBad.get(name) ?? 0), 0),
    trend: score?.trend,
    change,
  };
}

/** An output is measured as one of the flow; an input never. */
function measuredNames(
  { kind, label }: PlacedPicture['boxes'][number]['box'],
  drawn: DrawnNode | undefined,
): readonly string[] {
  if (kind === 'output') return [`outputs.${label}`];
  return drawn === undefined ? [] : [drawn.label, ...drawn.instances.map(({ name }) => name)];
}

type Instances = DrawnNode['instances'];

function foundIn(index: RowIndex | undefined, instances: Instances): readonly NodeIndex[] {
  return index === undefined ? [] : instances.flatMap(({ name }) => nodeIndex(index, name) ?? []);
}

function countsOf(instances: Instances, index: RowIndex | undefined): NodeCounts | undefined {
  const found = foundIn(index, instances);
  if (found.length === 0) return undefined;
  const sum = (of: (node: (typeof found)[number]) => number): number => found.reduce((all, node) => all + of(node), 0);
  const cached = sum(({ cachedCount }) => cachedCount);
  return {
    Completed: sum(({ counts }) => counts.Completed),
    Bypassed: sum(({ counts }) => counts.Bypassed),
    Failed: sum(({ counts }) => counts.Failed),
    Canceled: sum(({ counts }) => counts.Canceled),
    NotRun: sum(({ counts }) => counts.NotRun),
    ...(cached === 0 ? {} : { cached }),
  };
}

/** Of a folded node, the time of its slowest instance: a median of medians is of nothing. */
function measuresOf(instances: Instances, index: RowIndex | undefined): GraphNode['measures'] {
  const found = foundIn(index, instances);
  if (found.length === 0) return {};
  const times = found.flatMap(({ medianMs }) => medianMs ?? []);
  const { tokens, cost, isCostPartial } = sumOfSpent(found.map(({ spent }) => spent));
  const time = durationFigure(times.length === 0 ? undefined : Math.max(...times));
  return {
    time: { figure: time, level: null, of: found.length > 1 ? 'p50 of its slowest turn' : 'p50' },
    ...(tokens === 0 ? {} : { tokens: { figure: countFigure(tokens, 'tokens'), level: null } }),
    ...(cost === undefined && !isCostPartial ? {} : { cost: { figure: costFigure(cost, isCostPartial), level: null } }),
  };
}

/** Each measure between the least and the most of the graph; scores are of different metrics and stand for themselves. */
function withLevels(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const ranges = new Map<string, { low: number; high: number }>();
  for (const { measures } of nodes) {
    for (const [name, { figure }] of Object.entries(measures)) {
      if (figure.value === null) continue;
      const { low, high } = ranges.get(name) ?? { low: figure.value, high: figure.value };
      ranges.set(name, { low: Math.min(low, figure.value), high: Math.max(high, figure.value) });
    }
  }
  const levelOf = (name: string, { figure, level }: Measure): number | null => {
    const range = ranges.get(name);
    if (name === 'score' || level !== null || figure.value === null || range === undefined) return level;
    return range.high === range.low ? 0.5 : (figure.value - range.low) / (range.high - range.low);
  };
  return nodes.map((node) => {
    const measures = Object.entries(node.measures).map(([name, measure]) => {
      return [name, { ...measure, level: levelOf(name, measure) }] as const;
    });
    return { ...node, measures: Object.fromEntries(measures) };
  });
}

interface Middle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function cornered({ x, y, width, height }: Middle): Middle {
  return { x: rounded(x - width / 2), y: rounded(y - height / 2), width: rounded(width), height: rounded(height) };
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
