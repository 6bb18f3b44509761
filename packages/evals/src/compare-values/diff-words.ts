import { alignLists, type Stretch } from '@unroll/engine';

export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/**
 * What became of a text, in whole words: all parts but the added ones are `left`, all but the removed ones `right`.
 * Words are those of Unicode's text segmentation (UAX #29) with the dictionary for Japanese, so 個人情報の保護 is three.
 */
export function diffWords(left: string, right: string): readonly TextPart[] {
  const stretches = alignLists(wordsOf(left), wordsOf(right), (one, other) => one.text === other.text);
  return joinIslands(stretches).flatMap(partsOf);
}

interface Word {
  readonly text: string;
  readonly isWord: boolean;
}

let segmenter: Intl.Segmenter | undefined;

function wordsOf(text: string): readonly Word[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment, isWordLike = false }) => {
    return { text: segment, isWord: isWordLike };
  });
}

/**
 * An unchanged stretch that is no longer than the changes on both sides of it belongs to them, as does a blank or a comma
 * alone: a text that changed in every other place cannot be read. (The semantic clean-up of N. Fraser, Diff Strategies,
 * 2006, over words.) Line ends stay: they keep the paragraphs side by side.
 */
function joinIslands(stretches: readonly Stretch<Word>[]): readonly Stretch<Word>[] {
  let merged = stretches;
  for (let before = Infinity; merged.length < before; ) {
    before = merged.length;
    merged = joinOnce(merged);
  }
  return merged;
}

function joinOnce(stretches: readonly Stretch<Word>[]): readonly Stretch<Word>[] {
  const merged: Stretch<Word>[] = [];
  for (const [index, stretch] of stretches.entries()) {
    const before = merged.at(-1);
    const isJoined =
      before?.kind === 'changed' && (stretch.kind === 'changed' || isIsland(stretch, before, stretches[index + 1]));
    if (!isJoined || before === undefined) merged.push(stretch);
    else {
      const [left, right] = [
        [...before.left, ...stretch.left],
        [...before.right, ...stretch.right],
      ];
      merged[merged.length - 1] = { kind: 'changed', left, right };
    }
  }
  return merged;
}

function isIsland({ left }: Stretch<Word>, before: Stretch<Word>, after: Stretch<Word> | undefined): boolean {
  if (after === undefined || left.some(({ text }) => text.includes('\n'))) return false;
  const size = sizeOf(left);
  return !left.some(({ isWord }) => isWord) || (size <= changeSize(before) && size <= changeSize(after));
}

function changeSize({ left, right }: Stretch<Word>): number {
  return Math.max(sizeOf(left), sizeOf(right));
}

function sizeOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

function partsOf({ kind, left, right }: Stretch<Word>): readonly TextPart[] {
  const part = (of: TextPart['kind'], words: readonly Word[]): TextPart => {
    return { kind: of, text: words.map(({ text }) => text).join('') };
  };
  const parts = kind === 'same' ? [part('same', left)] : [part('removed', left), part('added', right)];
  return parts.filter(({ text }) => text !== '');
}
