/**
 * The text with comments and the insides of strings turned to spaces, every offset kept, so that brackets, commas and
 * words found in it are code.
 */
export function blankPython(text: string): string {
  return text.replace(/#[^\n]*|("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*\1|(["'])(?:\\[\s\S]|(?!\2)[^\\\n])*\2/g, (found) =>
    found.replace(/[^\n]/g, ' '),
  );
}
