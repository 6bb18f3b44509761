import type { Diagnostic, Note } from './diagnostic.ts';
import { colorStyle, type DiagnosticStyle, plainStyle } from './diagnostic-style.ts';
import { sortDiagnostics } from './sort-diagnostics.ts';
import { placeOf, type Span } from './source-file.ts';
import { underlinedLine } from './underlined-line.ts';

export interface FormatOptions {
  readonly color?: boolean;
  /** Wins over `color`. */
  readonly style?: DiagnosticStyle;
}

/**
 * One diagnostic as text, without a line break at its end:
 *
 *     flows/ask/flow.dag.yaml:5:5 error FLOW_UNKNOWN_KEY unknown key "promt"
 *             promt: hi
 *             ~~~~~
 *         help: did you mean "prompt"?
 *         flows/ask/flow.dag.yaml:9:3 note: the same key is right here
 */
export function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions = {}): string {
  const style = options.style ?? (options.color === true ? colorStyle : plainStyle);
  const { severity, code, message, span, help, notes = [] } = diagnostic;
  const paint = style[severity];
  const place = span === undefined ? '' : `${style.place(placeText(span))} `;
  const underlined = span === undefined ? undefined : underlinedLine(span);
  return [
    `${place}${paint(severity)} ${style.code(code)} ${indented(message)}`,
    ...(underlined === undefined
      ? []
      : [`    ${underlined.text}`, `    ${underlined.before}${paint(underlined.marks)}`]),
    ...(help === undefined ? [] : [`    ${style.help('help:')} ${indented(help)}`]),
    ...notes.map((note) => noteLine(note, style)),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** All of them by file and place, one below the other, and how many there are; empty for none. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions = {}): string {
  if (diagnostics.length === 0) return '';
  const sorted = sortDiagnostics(diagnostics);
  return [...sorted.map((diagnostic) => formatDiagnostic(diagnostic, options)), countDiagnostics(diagnostics)].join(
    '\n',
  );
}

/** `3 errors, 1 warning`; what there is none of is left out. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning'] as const).flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'no errors' : counts.join(', ');
}

function noteLine(note: Note, style: DiagnosticStyle): string {
  const place = note.span === undefined ? '' : `${style.place(placeText(note.span))} `;
  return `    ${place}${style.note('note:')} ${indented(note.message)}`;
}

function placeText({ file, start }: Span): string {
  const { line, column } = placeOf(file, start);
  return `${file.path}:${line}:${column}`;
}

/** Further lines of a message stand below its first, set in. */
function indented(text: string): string {
  return text.replaceAll(/\r?\n/g, '\n    ');
}
