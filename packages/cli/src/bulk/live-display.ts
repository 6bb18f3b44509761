import { textWidth } from '@unroll/engine/text-width';
import type { TextSink } from '../io.ts';
import { shown } from '../text/text-sink.ts';

/** A block of lines at the end of a terminal that is drawn over and over in place. */
export interface LiveBlock {
  draw(lines: readonly string[]): void;
  /** Takes the block away and shows the cursor again. */
  clear(): void;
}

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
// A terminal that draws an ambiguous letter twice as wide cuts the line instead of breaking it.
const noWrap = '\u001B[?7l';
const wrap = '\u001B[?7h';
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';
const eraseBelow = '\u001B[J';

export function createLiveBlock(sink: TextSink): LiveBlock {
  let drawn: readonly string[] = [];
  /** To the first cell of the block: a terminal made narrower has broken its lines. */
  const back = (): string => {
    const columns = Math.max(1, sink.columns ?? 80);
    const up = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
    return up === 0 ? '' : `\u001B[${up}A\r`;
  };
  return {
    draw(lines) {
      const text = lines.map((line) => `${shown(line)}\u001B[K\n`).join('');
      sink.control(`${beginUpdate}${hideCursor}${noWrap}${back()}${text}${eraseBelow}${wrap}${endUpdate}`);
      drawn = lines;
    },
    clear() {
      sink.control(`${back()}${eraseBelow}${showCursor}`);
      drawn = [];
    },
  };
}
