import type { Figure } from '@unroll/project/studio-contract';

export interface FigureTextProps {
  readonly figure: Figure;
  /** Says beside the figure why there is none. */
  readonly isWhyShown?: boolean;
}

/** The number strong, its unit small; a dash tells in its accessible name why there is no value. */
export function FigureText({ figure, isWhyShown = false }: FigureTextProps) {
  const { text, value, why } = figure;
  if (value === null || why !== undefined)
    return (
      <span class="one-line" title={why}>
        <span aria-hidden={value === null}>{text}</span>
        {why === undefined ? null : <small class={isWhyShown ? '' : 'unseen'}> {why}</small>}
      </span>
    );
  const [, number = text, unit = ''] = /^(.*?)(?:\s([a-zA-Z%/]+))?$/s.exec(text) ?? [];
  return (
    <span class="one-line">
      {number}
      {unit === '' ? null : <small>&nbsp;{unit}</small>}
    </span>
  );
}
