import type { Graph, GraphArrow } from '@unroll/project/studio-contract';

export interface ArrowsProps {
  readonly graph: Graph;
  /** How much wider than the layout is drawn. */
  readonly wider: number;
}

export function Arrows({ graph: { arrows, width, height }, wider }: ArrowsProps) {
  return (
    <svg class="arrows" viewBox={`0 0 ${width * wider} ${height}`} aria-hidden="true">
      <defs>
        <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M1 1 7 4 1 7" fill="none" stroke="var(--edge)" stroke-width="1.4" />
        </marker>
      </defs>
      {arrows.map((arrow) => (
        <path
          key={`${arrow.from} ${arrow.to} ${arrow.kind}`}
          class={arrow.carries ? `${arrow.kind} carries` : arrow.kind}
          d={curve(arrow, wider)}
          marker-end="url(#head)"
        />
      ))}
    </svg>
  );
}

/** Through the middle of each stretch, bent at the points in between. */
export function curve({ points }: Pick<GraphArrow, 'points'>, wider: number): string {
  const [first, ...rest] = points.map(({ x, y }) => ({ x: x * wider, y }));
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  const bends = rest.map((point, index) => {
    const next = rest[index + 1];
    const end = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join('')}`;
}

function at({ x, y }: { readonly x: number; readonly y: number }): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
