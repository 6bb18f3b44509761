import { alignLists } from '@unroll/engine';

/**
 * A text with the marks that stand in another rendering of it, for which values held them. Where an operation saw the marks
 * (`length`, `tojson`, a slice) the two renderings differ: the lines that do count as a value's, with marks after the line break and
 * before each colon.
 */
export function carryMarks(text: string, marked: string, mark: string): string {
  const bare = marked.replaceAll(mark, '');
  if (bare === text) return marked;
  const markedLines = marked.split('\n');
  const lines: string[] = [];
  let other = 0;
  for (const { kind, left, right } of alignLists(text.split('\n'), bare.split('\n'), (one, two) => one === two)) {
    const carried = kind === 'same' ? markedLines.slice(other, other + right.length) : left.map(asValue);
    lines.push(...carried);
    other += right.length;
  }
  return lines.join('\n');

  function asValue(line: string, at: number): string {
    return `${lines.length + at === 0 ? '' : mark}${line.replaceAll(':', `${mark}:`)}`;
  }
}
