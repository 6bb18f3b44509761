/** A text the author wrote. `path` is shown as it stands: relative to where the command was given. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A stretch of a source: `start` ≤ `end`, offsets in UTF-16 code units. Line and column are worked out when printed. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** Line and column of an offset, both from 1; a column counts code points. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export function placeOf(file: SourceFile, offset: number): Place {
  const before = file.text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (const character of before) if (character === '\n') line += 1;
  return { line, column: [...before.slice(lineStart)].length + 1 };
}
