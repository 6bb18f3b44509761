import picocolors from 'picocolors';
import type { Io, TextSink } from '../io.ts';

/** Paints for a terminal; each gives the text back as it is where colours are off. */
export interface Style {
  readonly good: Paint;
  readonly bad: Paint;
  readonly warn: Paint;
  readonly dim: Paint;
  readonly strong: Paint;
  readonly name: Paint;
  readonly isColored: boolean;
}

export type Paint = (text: string) => string;

/** Colours only on a terminal, and not with NO_COLOR or `--no-color`; FORCE_COLOR turns them on anyway. */
export function usesColor(sink: TextSink, io: Io, isWanted: boolean | undefined): boolean {
  if (isWanted === false || (io.environment['NO_COLOR'] ?? '') !== '') return false;
  return sink.isTerminal || !['', '0'].includes(io.environment['FORCE_COLOR'] ?? '');
}

export function createStyle(isColored: boolean): Style {
  const colors = picocolors.createColors(isColored);
  return {
    good: colors.green,
    bad: colors.red,
    warn: colors.yellow,
    dim: colors.dim,
    strong: colors.bold,
    name: colors.cyan,
    isColored,
  };
}
