import type { Figure } from '@unroll/project/studio-contract';
import { words } from '../words/words.ts';

export interface FigureTextProps {
  readonly figure: Figure;
  /** Says beside the figure why there is none. */
  readonly isWhyShown?: boolean;
}

/** The number strong, its unit small; a dash tells in its accessible name why there is no value. */
export function FigureText({ figure, isWhyShown = false }: FigureTextProps) {
  const { value } = figure;
  const text = words.value.figureText(figure.text);
  const why = figure.why === undefined ? undefined : words.value.figureWhy(figure.why);
  if (value === null || why !== undefined)
    return (
      <span class="one-line" title={why}>
        <span aria-hidden={value === null}>{text}</span>
        {why === undefined ? null : <small class={isWhyShown ? '' : 'unseen'}> {why}</small>}
      </span>
    );
  const [, number = text, unit = ''] = /^(.*?)(?:\s([a-zA-Z%/ァ-ヶー]+))?$/s.exec(text) ?? [];
  return (
    <span class="one-line">
      {number}
      {unit === '' ? null : <small>&nbsp;{unit}</small>}
    </span>
  );
}
