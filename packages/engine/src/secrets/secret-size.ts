import { cutBetweenWords, isOfKey, longestKey } from './cut-between-words.ts';

/**
 * How large the largest of some secrets is. A word is a run of signs that keys are made of (ASCII without blanks); any other sign is a
 * word of its own.
 */
export interface SecretSize {
  readonly characters: number;
  readonly words: number;
}

export function sizeOf(secrets: Iterable<string>): SecretSize {
  let [characters, words] = [0, 0];
  for (const secret of secrets) {
    characters = Math.max(characters, secret.length);
    words = Math.max(words, secret.match(/[!-~]+|[^!-~]/g)?.length ?? 0);
  }
  return { characters, words };
}

/**
 * Where the part of a text begins in which a secret may have begun that goes on behind it: as many words, and at most as many
 * characters, as a secret has. So it depends on the text and on this size alone, never on what the secrets are.
 */
export function tailStart(text: string, { characters, words }: SecretSize): number {
  if (words === 0) return text.length;
  let start = runStart(text, text.length);
  for (let word = 1; word < words && start > 0; word += 1) {
    const before = runStart(text, start);
    start = before === start ? start - 1 : before;
  }
  return cutBetweenWords(text, Math.max(start, text.length - characters + 1)).length;
}

/** The same for a text that begins within a secret: where the part ends. */
export function headEnd(text: string, { characters, words }: SecretSize): number {
  if (words === 0) return 0;
  let end = runEnd(text, 0);
  for (let word = 1; word < words && end < text.length; word += 1) {
    const behind = runEnd(text, end);
    end = behind === end ? end + 1 : behind;
  }
  return wordEnd(text, Math.min(end, characters - 1));
}

/** Where the run of signs of keys begins that ends at a place; the place itself where there is none. */
export function runStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isOfKey(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function runEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isOfKey(text.charCodeAt(end))) end += 1;
  return end;
}

/** Behind the word that a place is in, as `cutBetweenWords` ends before it, and behind a pair of surrogates. */
function wordEnd(text: string, place: number): number {
  const isWithin = place > 0 && isOfKey(text.charCodeAt(place - 1));
  const end = isWithin ? runEnd(text, place) : place;
  const next = end - place < longestKey ? end : place;
  return /^[\uDC00-\uDFFF]/.test(text.slice(next, next + 1)) ? next + 1 : next;
}
