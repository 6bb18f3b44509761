/**
 * The text with comments and the insides of strings turned to spaces, every offset kept. Regular expressions are told
 * from divisions by what stands before them.
 */
export function blankScript(text: string): string {
  const pieces =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(["'])(?:\\[\s\S]|(?!\1)[^\\\n])*\1|`(?:\\[\s\S]|[^\\`])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/g;
  return text.replace(pieces, (found) => found.replace(/[^\n]/g, ' '));
}
