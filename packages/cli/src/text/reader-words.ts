import type { Diagnostic } from '@unroll/engine';
import type { Language } from './reader-language.ts';

/**
 * What is wrong or doubtful, in the language of who reads; it is made in English where it happens. What programs read (JSON, codes,
 * places) and what users type is the same in every language, and so are tables and help.
 */
export interface ReaderWords {
  /** What a row's failure, a warning or a note says, where code and services may speak too: their words stay as they are. */
  sentence(text: string): string;
  /** Why a command ended, or what to do about it: Unroll's words alone. */
  failure(text: string): string;
  diagnostic(diagnostic: Diagnostic): Diagnostic;
}

export const englishWords: ReaderWords = {
  sentence: (text) => text,
  failure: (text) => text,
  diagnostic: (diagnostic) => diagnostic,
};

export async function readerWords(language: Language): Promise<ReaderWords> {
  if (language === 'en') return englishWords;
  const japanese = await import('@unroll/project/japanese');
  return {
    sentence: japanese.anyTextInJapanese,
    failure: japanese.commandFailureInJapanese,
    diagnostic: japanese.diagnosticInJapanese,
  };
}
