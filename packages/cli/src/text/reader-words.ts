import type { Diagnostic } from '@unroll/engine';
import type { Language } from './reader-language.ts';

/**
 * What is wrong or doubtful, in the language of who reads; it is made in English where it happens. What programs read (JSON, codes,
 * places) and what users type is the same in every language, and so are tables and help.
 */
export interface ReaderWords {
  /** What a failure, a warning or a note says. A text of somebody else stays as it is. */
  sentence(text: string): string;
  diagnostic(diagnostic: Diagnostic): Diagnostic;
}

export const englishWords: ReaderWords = { sentence: (text) => text, diagnostic: (diagnostic) => diagnostic };

export async function readerWords(language: Language): Promise<ReaderWords> {
  if (language === 'en') return englishWords;
  const { anyTextInJapanese, diagnosticInJapanese } = await import('@unroll/project/japanese');
  return { sentence: anyTextInJapanese, diagnostic: diagnosticInJapanese };
}
