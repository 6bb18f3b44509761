import type { WordChange } from '@unroll/project/studio-contract';

/** A text in parts: what changed, what stands around it, and how much of the same lies between. */
export type FoldedPart = WordChange | { readonly kind: 'folded'; readonly text: string };

/** Characters that are shown beside a change; up to the end of their line where that is near. */
const around = 90;
const nearLine = 60;
const leastFolded = 80;

/** Long stretches of the same are folded, so that the changes of a prompt stand together. */
export function foldWords(changes: readonly WordChange[]): readonly FoldedPart[] {
  return changes.flatMap((change, at): readonly FoldedPart[] => {
    if (change.kind !== 'same') return [change];
    const start = at === 0 ? 0 : startLength(change.text);
    const end = at === changes.length - 1 ? 0 : endLength(change.text);
    const { text } = change;
    if (text.length - start - end < leastFolded) return [change];
    const parts: readonly FoldedPart[] = [
      { kind: 'same', text: text.slice(0, start) },
      { kind: 'folded', text: text.slice(start, text.length - end) },
      { kind: 'same', text: text.slice(text.length - end) },
    ];
    return parts.filter((part) => part.text !== '');
  });
}

function startLength(text: string): number {
  const line = text.indexOf('\n', around);
  return line !== -1 && line <= around + nearLine ? line + 1 : whole(text, Math.min(around, text.length));
}

function endLength(text: string): number {
  const from = text.length - around;
  if (from <= 0) return text.length;
  const line = text.lastIndexOf('\n', from);
  const start = line !== -1 && from - line <= nearLine ? line + 1 : whole(text, from);
  return text.length - start;
}

/** No half of a pair of surrogates. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at + 1 : at;
}
