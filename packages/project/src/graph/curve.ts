import type { Area, Point } from './area.ts';

/** A piece of a drawn arrow: from one point to another, bent towards a third. */
interface Piece {
  readonly from: Point;
  readonly bend: Point;
  readonly to: Point;
}

/** The path of an arrow: straight to the middle between two bends, rounded at each bend. */
export function curveThrough(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return '';
  if (points.length === 2) return `M${pair(first)}L${pair(last)}`;
  return `M${pair(first)}${piecesOf(points)
    .map(({ bend, to }) => `Q${pair(bend)} ${pair(to)}`)
    .join('')}`;
}

/**
 * Where a label stands on a drawn arrow: as near to the wanted place as it can without lying on one of the areas.
 *
 * @param size of the label; its middle is what is given back
 */
export function placeOnCurve(
  points: readonly Point[],
  wanted: Point,
  size: Pick<Area, 'width' | 'height'>,
  areas: readonly Area[],
): Point {
  const distance = (point: Point): number => Math.hypot(point.x - wanted.x, point.y - wanted.y);
  const nearest = samplesOf(points).toSorted((one, other) => distance(one) - distance(other));
  return nearest.find((point) => !areas.some((area) => overlaps({ ...point, ...size }, area))) ?? nearest[0] ?? wanted;
}

const samplesAPiece = 24;

function samplesOf(points: readonly Point[]): readonly Point[] {
  const steps = Array.from({ length: samplesAPiece + 1 }, (_, step) => step / samplesAPiece);
  return piecesOf(points).flatMap((piece) => steps.map((step) => pointAt(piece, step)));
}

/** The point of a quadratic Bézier curve at `t`, from 0 to 1. */
function pointAt({ from, bend, to }: Piece, t: number): Point {
  const at = (start: number, middle: number, end: number): number =>
    (1 - t) ** 2 * start + 2 * (1 - t) * t * middle + t ** 2 * end;
  return { x: at(from.x, bend.x, to.x), y: at(from.y, bend.y, to.y) };
}

function piecesOf(points: readonly Point[]): readonly Piece[] {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return [];
  if (rest.length === 1) return [{ from: first, bend: middle(first, last), to: last }];
  let from = first;
  return rest.slice(0, -1).map((bend, index) => {
    const next = rest[index + 1] ?? last;
    const to = index === rest.length - 2 ? next : middle(bend, next);
    const piece = { from, bend, to };
    from = to;
    return piece;
  });
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/** Both areas by their middles. */
export function overlaps(one: Area, other: Area): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    Math.abs(one.y - other.y) < (one.height + other.height) / 2
  );
}

function pair({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
