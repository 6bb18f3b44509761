import { fitWidth, textWidth } from '@unroll/engine/text-width';
import type { Paint } from './style.ts';

/** A piece of a line; painted after it was cut, so that a cut never falls into a colour code. */
export interface Segment {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/** The segments on one line of at most `columns` cells. */
export function paintedLine(segments: readonly Segment[], columns: number): string {
  const pieces: string[] = [];
  let left = columns;
  for (const { text, paint } of segments) {
    if (left <= 0) break;
    const fitting = fitWidth(text, left);
    left = fitting === text ? left - textWidth(text) : 0;
    if (fitting !== '') pieces.push(paint === undefined ? fitting : paint(fitting));
  }
  return pieces.join('').trimEnd();
}
