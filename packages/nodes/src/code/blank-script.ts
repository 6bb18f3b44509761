import jsTokens from 'js-tokens';

/**
 * The text with comments, the insides of strings and regular expressions turned to spaces, every offset kept. What stands
 * between `${` and `}` of a template is code as any other.
 */
export function blankScript(text: string): string {
  let blank = '';
  for (const { type, value } of jsTokens(text)) blank += isCode(type) ? value : value.replace(/[^\n]/g, ' ');
  return blank;
}

function isCode(type: string): boolean {
  return !/Comment$|^String|Template|^Regular/.test(type);
}
