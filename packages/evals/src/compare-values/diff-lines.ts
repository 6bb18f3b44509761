import { alignLists } from '@unroll/engine';

/** A line of a text with its number from 1: of the text before where it was removed, of the text after otherwise. */
export interface LinePart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly line: number;
}

/** What became of a text line by line; an end of line that both have alike is no difference. */
export function diffLines(left: string, right: string): readonly LinePart[] {
  const parts: LinePart[] = [];
  const at = { left: 1, right: 1 };
  for (const stretch of alignLists(left.split('\n'), right.split('\n'), (one, other) => one === other)) {
    if (stretch.kind === 'changed') {
      parts.push(...stretch.left.map((text, index) => ({ kind: 'removed' as const, text, line: at.left + index })));
    }
    const kind = stretch.kind === 'changed' ? 'added' : 'same';
    parts.push(...stretch.right.map((text, index) => ({ kind, text, line: at.right + index }) as const));
    at.left += stretch.left.length;
    at.right += stretch.right.length;
  }
  return parts;
}
