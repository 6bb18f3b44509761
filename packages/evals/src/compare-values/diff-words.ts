import { alignLists, type Stretch } from './align-lists.ts';

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

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

function wordsOf(text: string): readonly Word[] {
  return Array.from(segmenter.segment(text), ({ segment, isWordLike = false }) => {
    return { text: segment, isWord: isWordLike };
  });
}

/** A blank or a comma alone between two changes belongs to them: a text changed in every other place cannot be read. */
function joinIslands(stretches: readonly Stretch<Word>[]): readonly Stretch<Word>[] {
  const joined: Stretch<Word>[] = [];
  for (const [index, stretch] of stretches.entries()) {
    const before = joined.at(-1);
    const isBetween = before?.kind === 'changed' && index < stretches.length - 1;
    const isIsland = stretch.kind === 'same' && isBetween && !stretch.left.some(keepsApart);
    if (before?.kind === 'changed' && (isIsland || stretch.kind === 'changed')) {
      joined[joined.length - 1] = {
        kind: 'changed',
        left: [...before.left, ...stretch.left],
        right: [...before.right, ...stretch.right],
      };
    } else joined.push(stretch);
  }
  return joined;
}

function keepsApart({ text, isWord }: Word): boolean {
  return isWord || text.includes('\n');
}

function partsOf({ kind, left, right }: Stretch<Word>): readonly TextPart[] {
  const part = (of: TextPart['kind'], words: readonly Word[]): TextPart => {
    return { kind: of, text: words.map(({ text }) => text).join('') };
  };
  const parts = kind === 'same' ? [part('same', left)] : [part('removed', left), part('added', right)];
  return parts.filter(({ text }) => text !== '');
}
