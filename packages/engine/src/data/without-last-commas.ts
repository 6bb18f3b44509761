interface Comma {
  readonly at: number;
  /** What stands before it, blanks left out. */
  readonly after: string;
}

/**
 * JSON without the commas after the last value of an object, which Prompt flow's reader passes over. One pass, as a line may be
 * long and written by anyone.
 */
export function withoutLastCommas(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let before = '';
  let comma: Comma | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/\s/.test(character)) continue;
    if (character === '}' && comma !== undefined && followsValue(comma)) {
      kept.push(text.slice(from, comma.at));
      from = comma.at + 1;
    }
    comma = character === ',' ? { at, after: before } : undefined;
    before = character;
    if (character === '"') at = endOfString(text, at);
  }
  return kept.join('') + text.slice(from);
}

function followsValue({ after }: Comma): boolean {
  return after !== '{' && after !== ',';
}

/** Place of the quote that closes a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
