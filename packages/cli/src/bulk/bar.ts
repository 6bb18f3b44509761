import type { Segment } from '../text/painted-line.ts';
import type { Style } from '../text/style.ts';

/** Shares of a bar in the order they are drawn. */
export interface BarParts {
  readonly completed: number;
  readonly cached: number;
  readonly bypassed: number;
  readonly failed: number;
  readonly inFlight: number;
  /** What a full bar stands for. */
  readonly total: number;
}

const shares = ['completed', 'cached', 'bypassed', 'failed', 'inFlight'] as const;
const signs = { completed: '#', cached: '=', bypassed: '-', failed: 'x', inFlight: '>', rest: '.' } as const;

/** A bar of `width` cells: one colour a share, or one letter a share where there are no colours. */
export function bar(parts: BarParts, width: number, style: Style): readonly Segment[] {
  const paints = {
    completed: style.good,
    cached: style.name,
    bypassed: style.dim,
    failed: style.bad,
    inFlight: style.warn,
    rest: (text: string) => style.dim(text),
  };
  const segments: Segment[] = [];
  const draw = (share: keyof typeof signs, cells: number): void => {
    const sign = style.isColored ? (share === 'rest' ? '╌' : '━') : signs[share];
    if (cells > 0) segments.push({ text: sign.repeat(cells), paint: paints[share] });
  };
  let sum = 0;
  let drawn = 0;
  for (const share of shares) {
    sum += parts[share];
    const end = Math.min(width, parts.total === 0 ? 0 : Math.round((sum * width) / parts.total));
    // A single failed row is seen in the widest bar.
    const cells = Math.max(end - drawn, share === 'failed' && parts.failed > 0 && drawn < width ? 1 : 0);
    draw(share, cells);
    drawn += cells;
  }
  draw('rest', width - drawn);
  return segments;
}
