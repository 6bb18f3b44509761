import type { WordChange } from '@unroll/project/studio-contract';
import { PlainText } from './plain-text.tsx';

export interface WordChangesProps {
  readonly changes: readonly WordChange[];
}

/** A text with what was taken out struck through and what was put in underlined. */
export function WordChanges({ changes }: WordChangesProps) {
  return (
    <span class="plain-text">
      {changes.map(({ kind, text }, index) => {
        const shown = <PlainText text={text} />;
        const key = `${index} ${kind}`;
        if (kind === 'removed') return <del key={key}>{shown}</del>;
        return kind === 'added' ? <ins key={key}>{shown}</ins> : <span key={key}>{shown}</span>;
      })}
    </span>
  );
}
