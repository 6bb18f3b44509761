import type { WordChange } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { countText } from './count.ts';
import { type FoldedPart, foldWords } from './fold-words.ts';
import { PlainText } from './plain-text.tsx';

export interface TextChangesProps {
  readonly changes: readonly WordChange[];
  readonly isSideBySide: boolean;
  readonly language?: string | undefined;
}

/** Two texts as one with its changes, or beside each other; long stretches of the same are folded until they are asked for. */
export function TextChanges({ changes, isSideBySide, language }: TextChangesProps) {
  const [isWhole, setWhole] = useState(false);
  const parts: readonly FoldedPart[] = isWhole ? changes : foldWords(changes);
  const show = { parts, unfold: () => setWhole(true), language };
  const note = isOther(changes) ? <p class="small quiet">{words.value.comparing.diff.otherText}</p> : null;
  if (!isSideBySide)
    return (
      <>
        {note}
        <Parts {...show} />
      </>
    );
  return (
    <>
      {note}
      <div class="two-sides">
        <Parts {...show} without="added" />
        <Parts {...show} without="removed" />
      </div>
    </>
  );
}

/** Characters of a stretch in which words would be looked for. */
const longStretch = 1500;

/** Whether a long text gave way to another one: their words were not, or could not be, set beside each other. */
function isOther(changes: readonly WordChange[]): boolean {
  const longest = (of: WordChange['kind']): number =>
    Math.max(0, ...changes.map(({ kind, text }) => (kind === of ? text.length : 0)));
  return longest('removed') > longStretch && longest('added') > longStretch;
}

interface PartsProps {
  readonly parts: readonly FoldedPart[];
  readonly unfold: () => void;
  readonly language: string | undefined;
  readonly without?: 'added' | 'removed';
}

function Parts({ parts, unfold, language, without }: PartsProps) {
  return (
    <p class="plain-text reading text-changes" lang={language} dir="auto">
      {parts.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`;
        if (kind === without) return null;
        if (kind === 'folded')
          return (
            <button key={key} type="button" class="fold" onClick={unfold}>
              ⋯ {words.value.comparing.diff.folded(countText(text.length))} ⋯
            </button>
          );
        const shown = <PlainText text={text} />;
        if (kind === 'removed') return <del key={key}>{shown}</del>;
        return kind === 'added' ? <ins key={key}>{shown}</ins> : <span key={key}>{shown}</span>;
      })}
    </p>
  );
}
