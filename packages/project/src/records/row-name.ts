/** A row as people name it: `12`, or `12/2` for the third time it was run. */
export function rowName({ line, repeat = 0 }: { readonly line: number; readonly repeat?: number }): string {
  return repeat === 0 ? String(line) : `${line}/${repeat}`;
}

/** The row of such a name; undefined for anything else. */
export function parseRowName(name: string): { readonly line: number; readonly repeat: number } | undefined {
  const [, line, repeat = '0'] = /^(\d+)(?:\/(\d+))?$/.exec(name) ?? [];
  return line === undefined ? undefined : { line: Number(line), repeat: Number(repeat) };
}
