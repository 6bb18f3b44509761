import picocolors from 'picocolors';
import type { Io, TextSink } from '../io.ts';
import { englishWords, type ReaderWords } from './reader-words.ts';

/** How what is printed looks and reads. A paint gives the text back as it is where colours are off. */
export interface Style extends ReaderWords {
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

/** For what is written to a sink: in its colours, and in the language of who reads it. */
export function styleOf(sink: TextSink, io: Io, isWanted: boolean | undefined): Style {
  return createStyle(usesColor(sink, io, isWanted), io.words);
}

export function createStyle(isColored: boolean, words: ReaderWords = englishWords): Style {
  const colors = picocolors.createColors(isColored);
  return {
    good: colors.green,
    bad: colors.red,
    warn: colors.yellow,
    dim: colors.dim,
    strong: colors.bold,
    name: colors.cyan,
    isColored,
    ...words,
  };
}
