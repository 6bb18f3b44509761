import type { Diagnostic, Note } from './diagnostic.ts';
import { placeOf, type Span } from './source-file.ts';

/** A diagnostic as `--json` prints it; a stable shape, described in docs/diagnostics.md. Lines and columns from 1. */
export interface DiagnosticJson {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly end_line: number | null;
  /** Column after the last one covered. */
  readonly end_column: number | null;
  readonly help: string | null;
  readonly notes: readonly NoteJson[];
}

export interface NoteJson {
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

export function diagnosticJson(diagnostic: Diagnostic): DiagnosticJson {
  const { severity, code, message, span, help = null, notes = [] } = diagnostic;
  const end = span === undefined ? undefined : placeOf(span.file, span.end);
  return {
    severity,
    code,
    message,
    ...placeJson(span),
    end_line: end?.line ?? null,
    end_column: end?.column ?? null,
    help,
    notes: notes.map(noteJson),
  };
}

function noteJson(note: Note): NoteJson {
  return { message: note.message, ...placeJson(note.span) };
}

function placeJson(span: Span | undefined): Omit<NoteJson, 'message'> {
  if (span === undefined) return { file: null, line: null, column: null };
  return { file: span.file.path, ...placeOf(span.file, span.start) };
}
