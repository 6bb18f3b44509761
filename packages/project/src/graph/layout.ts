import { textWidth } from '@unroll/engine/text-width';
import type { Area, Point } from './area.ts';
import { placeOnCurve } from './curve.ts';
import type { Arrow, Box, Group, Picture } from './picture.ts';

/** A picture with places, in pixels from the upper left corner. */
export interface PlacedPicture {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
  readonly groups: readonly PlacedGroup[];
}

export interface PlacedBox extends Area {
  readonly box: Box;
}

export interface PlacedArrow {
  readonly arrow: Arrow;
  /** From the edge of the first box to the edge of the second; bends in between. */
  readonly points: readonly Point[];
  /** Middle of the label. */
  readonly label?: Point;
}

export interface PlacedGroup extends Area {
  readonly group: Group;
}

export interface BoxSize {
  readonly width: number;
  readonly height: number;
  /** Of boxes whose names go on in further lines; as wide as their names where absent. */
  readonly maxWidth?: number;
}

/**
 * Places boxes in layers, along the arrows. Loads the layout library, the only file that does.
 *
 * @param least so large is the box of a node at least
 */
export async function layoutPicture(
  picture: Picture,
  least: BoxSize = { width: 110, height: 48 },
): Promise<PlacedPicture> {
  const { Graph, layout } = (await import('@dagrejs/dagre')) as unknown as Dagre;
  const graph = new Graph({ directed: true, compound: true, multigraph: true });
  graph.setGraph({
    rankdir: picture.direction === 'down' ? 'TB' : 'LR',
    nodesep: 28,
    ranksep: picture.groups.length === 0 ? 42 : 34,
    edgesep: 18,
    marginx: 20,
    marginy: 20,
  });
  for (const group of picture.groups) graph.setNode(group.id, {});
  for (const group of picture.groups) if (group.parent !== undefined) graph.setParent(group.id, group.parent);
  for (const box of picture.boxes) {
    graph.setNode(box.id, { ...boxSize(box, least) });
    if (box.group !== undefined) graph.setParent(box.id, box.group);
  }
  for (const arrow of picture.arrows) addArrow(graph, arrow);
  layout(graph);
  return placed(picture, graph);
}

/** What we use of the library, whose own types cannot be resolved from a module. */
interface Dagre {
  readonly Graph: new (options: Record<string, boolean>) => LayoutGraph;
  layout(graph: LayoutGraph): void;
}

interface LayoutGraph {
  setGraph(label: Record<string, unknown>): void;
  graph(): { readonly width: number; readonly height: number };
  setNode(id: string, label: Record<string, unknown>): void;
  setParent(id: string, parent: string): void;
  setEdge(from: string, to: string, label: Record<string, unknown>, name: string): void;
  node(id: string): Area;
  edge(
    from: string,
    to: string,
    name: string,
  ): { readonly points: readonly Point[]; readonly x?: number; readonly y?: number };
}

/** Pixels a text takes, by cells: no font is at hand, and a Japanese character is two Latin ones wide. */
export function textPixels(text: string, fontSize: number): number {
  return textWidth(text) * fontSize * 0.56;
}

const labelSize = 14;
const detailSize = 11.5;
const iconRoom = 26;

const lineHeight = 18;

function boxSize(box: Box, { width: least, height, maxWidth = Infinity }: BoxSize): BoxSize {
  if (box.kind !== 'node') return wrapped({ width: textPixels(box.label, labelSize), room: 40, height: 32 }, maxWidth);
  const name = wrapped({ width: textPixels(box.label, labelSize + 0.5), room: iconRoom + 28, height }, maxWidth);
  const detail = Math.min(textPixels(detailText(box), detailSize) + iconRoom + 28, maxWidth);
  return { width: Math.max(least, name.width, detail), height: name.height };
}

/** A box around a name, with a line more for each that the name takes. @param room beside the name */
function wrapped(
  { width, room, height }: { readonly width: number; readonly room: number; readonly height: number },
  maxWidth: number,
): BoxSize {
  if (width + room <= maxWidth) return { width: width + room, height };
  const lines = Math.ceil(width / (maxWidth - room));
  return { width: maxWidth, height: height + (lines - 1) * lineHeight };
}

/** Second line of a box. */
export function detailText(box: Box): string {
  const kind = box.aggregation ? `${box.type}, over all rows` : box.type;
  return [kind, box.detail].filter((part) => part !== undefined).join(' · ');
}

/** The arrow back of a loop is laid out as if it ran forward, beside the pair: the library knows no cycles of ours. */
function addArrow(graph: LayoutGraph, arrow: Arrow): void {
  const label =
    arrow.label === undefined
      ? {}
      : {
          ...labelSizeOf(arrow.label),
          labelpos: 'c',
        };
  if (arrow.kind === 'again') graph.setEdge(arrow.to, arrow.from, { ...label, weight: 0 }, arrow.kind);
  else graph.setEdge(arrow.from, arrow.to, { ...label, weight: arrow.kind === 'data' ? 2 : 1 }, arrow.kind);
}

function placed(picture: Picture, graph: LayoutGraph): PlacedPicture {
  const { width, height } = graph.graph();
  const groups = picture.groups.map((group) => ({ group, ...areaOf(graph.node(group.id)) }));
  const lowered = loweredBelowHeads(groups);
  const boxes = picture.boxes.map((box) => ({ box, ...stretched(areaOf(graph.node(box.id)), lowered) }));
  const placedGroups = groups.map((group) => ({ group: group.group, ...stretched(group, lowered) }));
  const taken = [...boxes, ...placedGroups.map(titleArea)];
  return {
    picture,
    width: Math.ceil(width),
    height: Math.ceil(lowered(height)),
    boxes,
    arrows: picture.arrows.map((arrow) => placedArrow(graph, arrow, lowered, taken)),
    groups: placedGroups,
  };
}

/** Where the label of a group stands: at its upper left. */
export function titleArea({ group, x, y, width, height }: PlacedGroup): Area {
  const size = { width: textPixels(group.label, 12), height: 16 };
  return { x: x - width / 2 + 12 + size.width / 2, y: y - height / 2 + 14, ...size };
}

function labelSizeOf(label: string): Pick<Area, 'width' | 'height'> {
  return { width: textPixels(label, 12) + 8, height: 18 };
}

type Lower = (y: number) => number;

const headRoom = 20;

/**
 * The library leaves no room for a group's label: everything below a group's upper edge moves down by a line. Groups side
 * by side share one.
 */
function loweredBelowHeads(groups: readonly PlacedGroup[]): Lower {
  const edges: { readonly depth: number; y: number }[] = [];
  for (const { group, y, height } of groups.toSorted((left, right) => top(left) - top(right))) {
    const depth = group.parent === undefined ? 0 : 1;
    const upper = y - height / 2;
    const beside = edges.find((edge) => edge.depth === depth && upper - edge.y < headRoom * 1.5);
    if (beside === undefined) edges.push({ depth, y: upper });
    else beside.y = upper;
  }
  return (y) => y + headRoom * edges.filter((edge) => y > edge.y + 0.01).length;
}

function top({ y, height }: Area): number {
  return y - height / 2;
}

function areaOf({ x, y, width, height }: Area): Area {
  return { x, y, width, height };
}

function stretched({ x, y, width, height }: Area, lowered: Lower): Area {
  const upper = lowered(y - height / 2);
  const lower = lowered(y + height / 2);
  return { x, y: (upper + lower) / 2, width, height: lower - upper };
}

/** @param taken what a label may not lie on */
function placedArrow(graph: LayoutGraph, arrow: Arrow, lowered: Lower, taken: readonly Area[]): PlacedArrow {
  const isBack = arrow.kind === 'again';
  const edge = isBack ? graph.edge(arrow.to, arrow.from, arrow.kind) : graph.edge(arrow.from, arrow.to, arrow.kind);
  const points = (isBack ? edge.points.toReversed() : edge.points).map(({ x, y }) => ({ x, y: lowered(y) }));
  if (arrow.label === undefined || edge.x === undefined || edge.y === undefined) return { arrow, points };
  const wanted = { x: edge.x, y: lowered(edge.y) };
  return { arrow, points, label: placeOnCurve(points, wanted, labelSizeOf(arrow.label), taken) };
}
