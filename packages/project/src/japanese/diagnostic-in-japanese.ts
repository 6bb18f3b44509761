import type { Diagnostic } from '@unroll/engine';
import { mistakeInJapanese } from './mistakes/mistakes-in-japanese.ts';

/** A mistake with its sentences in Japanese. Severity, code and place stay, since programs read them. */
export function diagnosticInJapanese(diagnostic: Diagnostic): Diagnostic {
  const { message, help, notes } = diagnostic;
  return {
    ...diagnostic,
    message: mistakeInJapanese(message),
    ...(help === undefined ? {} : { help: mistakeInJapanese(help) }),
    ...(notes === undefined
      ? {}
      : { notes: notes.map((note) => ({ ...note, message: mistakeInJapanese(note.message) })) }),
  };
}
