/** How the parts of a printed diagnostic are painted; each function wraps a text that has no line break. */
export interface DiagnosticStyle {
  readonly place: Paint;
  readonly error: Paint;
  readonly warning: Paint;
  readonly code: Paint;
  readonly help: Paint;
  readonly note: Paint;
}

export type Paint = (text: string) => string;

const asItIs: Paint = (text) => text;

export const plainStyle: DiagnosticStyle = {
  place: asItIs,
  error: asItIs,
  warning: asItIs,
  code: asItIs,
  help: asItIs,
  note: asItIs,
};

/** Colours of a terminal (ANSI, SGR). */
export const colorStyle: DiagnosticStyle = {
  place: ansi(36),
  error: ansi(31),
  warning: ansi(33),
  code: ansi(90),
  help: ansi(32),
  note: ansi(90),
};

function ansi(color: number): Paint {
  return (text) => (text === '' ? '' : `\u001B[${color}m${text}\u001B[39m`);
}
