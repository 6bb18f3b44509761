/** The longest run of signs that is taken for a key. */
export const longestKey = 1000;

/**
 * The begin of a text from which secrets are yet to be taken: so many characters at most, and never a part of a word, since half a
 * key would not be known as one. Signs of other writings than Latin end a word.
 */
export function cutBetweenWords(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && most - end < longestKey && isOfKey(text.charCodeAt(end - 1)) && isOfKey(text.charCodeAt(end))) {
    end -= 1;
  }
  const begin = text.slice(0, most - end < longestKey ? end : most);
  return begin.replace(/[\uD800-\uDBFF]$/, '');
}

/** What is written in ASCII without blanks. */
export function isOfKey(sign: number): boolean {
  return sign > 0x20 && sign < 0x7f;
}
