/**
 * A list in brackets, or a mapping in braces, put on one line: what is written there may stand further left than YAML allows
 * (JSON pasted into a flow), and ruamel.yaml reads it. Line breaks and comments become spaces, so that all places stay.
 *
 * @param start offset of the bracket or brace that opens it
 * @returns the text as it is where nothing closes it
 */
export function joinFlowLines(text: string, start: number): string {
  const { parts, end, isClosed } = scan(text, start);
  if (!isClosed) return text;
  return text.slice(0, start) + parts.join('') + text.slice(end);
}

/** A quoted text, a comment that begins after a space, or one character. */
const piece = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|(?<=\s)#[^\n]*|[\s\S]/y;

function scan(
  text: string,
  start: number,
): { readonly parts: readonly string[]; readonly end: number; readonly isClosed: boolean } {
  const parts: string[] = [];
  let depth = 0;
  let at = start;
  do {
    piece.lastIndex = at;
    const [found] = piece.exec(text) ?? [];
    if (found === undefined) break;
    at += found.length;
    if (found === '[' || found === '{') depth += 1;
    if (found === ']' || found === '}') depth -= 1;
    parts.push(/^["']/.test(found) ? found.replaceAll(singleBreak, ' ') : blanked(found));
  } while (depth > 0);
  return { parts, end: at, isClosed: depth === 0 };
}

/** In a quoted text one line break is a space; several are line breaks. */
const singleBreak = /(?<!\n[ \t]*)\n(?![ \t]*\n)/g;

function blanked(found: string): string {
  return found.startsWith('#') && found.length > 1 ? ' '.repeat(found.length) : found.replace(/[\r\n]/, ' ');
}
