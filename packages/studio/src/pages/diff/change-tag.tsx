import type { DiffNode } from '@unroll/project/studio-contract';
import { words } from '../../words/words.ts';

export type Kind = keyof DiffNode['kinds'];

const marks: Readonly<Record<Kind, string>> = {
  cause: '◆',
  both: '◈',
  effect: '◇',
  input: '▷',
  noise: '≈',
  unknown: '?',
};

/** The weightiest first. */
export const kindOrder: readonly Kind[] = ['cause', 'both', 'unknown', 'input', 'effect', 'noise'];

export interface ChangeTagProps {
  readonly kind: Kind;
  readonly rows?: string;
}

/** Filled where its own definition changed, an outline where it only handed on; the mark and the word say the same. */
export function ChangeTag({ kind, rows }: ChangeTagProps) {
  const { kinds, kindMeanings } = words.value.comparing.diff;
  return (
    <span class={`change-tag ${kind}`} title={kindMeanings[kind]}>
      <span aria-hidden="true">{marks[kind]}</span> {kinds[kind]}
      {rows === undefined ? '' : ` ${rows}`}
    </span>
  );
}
