import { diffLines } from '@unroll/evals';

const anyEnd = /\r\n|\r|\n/g;

/** A text as an editor in a page has it, where one kind of line end is known. */
export function withPlainEnds(text: string): string {
  return text.replaceAll(anyEnd, '\n');
}

/** What was typed, with the line ends of the file it was read from: each line that stays keeps its own, a new one takes its neighbour's. */
export function withLineEnds(typed: string, before: string): string {
  const ends = before.match(anyEnd) ?? [];
  let at = 0;
  let end: string = ends[0] ?? '\n';
  let removed: string[] = [];
  const pieces = diffLines(withPlainEnds(before), withPlainEnds(typed)).flatMap(({ kind, text }) => {
    if (kind === 'added') end = removed.shift() ?? end;
    else end = ends[at++] ?? end;
    removed = kind === 'removed' ? [...removed, end] : kind === 'same' ? [] : removed;
    return kind === 'removed' ? [] : [text, end];
  });
  // Behind the last line there is none.
  return pieces.slice(0, -1).join('');
}
