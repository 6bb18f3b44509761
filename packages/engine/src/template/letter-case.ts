import { characters } from './python-values.ts';

const cased = /\p{Cased}/u;
const small = /\p{Lowercase}/u;
const capital = /[\p{Uppercase}\p{Lt}]/u;

/** Python's `str.capitalize`. */
export function capitalize(text: string): string {
  const [first = '', ...rest] = characters(text);
  return titleCase(first) + rest.join('').toLowerCase();
}

/** Python's `str.title`: a letter after a letter is lower, any other is upper. */
export function title(text: string): string {
  let afterCased = false;
  return mapCharacters(text, (character, lower) => {
    const changed = afterCased ? lower : titleCase(character);
    afterCased = cased.test(character);
    return changed;
  });
}

/** Python's `str.swapcase`. */
export function swapCase(text: string): string {
  return mapCharacters(text, (one, lower) => {
    if (/\p{Uppercase}/u.test(one)) return lower;
    return small.test(one) ? one.toUpperCase() : one;
  });
}

/** Python's `str.casefold`. A dotless i stays one; letters of Cherokee fold to capitals. */
export function foldCase(text: string): string {
  return mapCharacters(text, (one) => {
    if (/\p{Script=Cherokee}/u.test(one)) return one.toUpperCase();
    return one === 'ı' ? one : one.toLowerCase().toUpperCase().toLowerCase();
  });
}

/** Python's `str.islower`. */
export function isLower(text: string): boolean {
  return small.test(text) && !capital.test(text);
}

/** Python's `str.isupper`. */
export function isUpper(text: string): boolean {
  return /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);
}

/** Python's `str.istitle`: capitals only where no letter stands before them, small letters only after a letter. */
export function isTitle(text: string): boolean {
  let afterCased = false;
  for (const character of text) {
    const isCased = cased.test(character);
    if (isCased && capital.test(character) === afterCased) return false;
    afterCased = isCased;
  }
  return cased.test(text);
}

/** Letters whose title case is neither upper nor lower, by their other forms: digraphs, and Greek letters with a iota. */
const titleLetters = new Map(
  [...'ǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ'].flatMap((letter) =>
    [letter, letter.toLowerCase(), letter.toUpperCase()].map((form) => [form, letter] as const),
  ),
);

function titleCase(character: string): string {
  if (character < '\u0080') return character.toUpperCase();
  const letter = titleLetters.get(character);
  if (letter !== undefined) return letter;
  if (/[\u10d0-\u10ff]/.test(character)) return character;
  const upper = character.toUpperCase();
  const [head = '', ...tail] = upper;
  const isLetter = head !== head.toLowerCase();
  return isLetter ? head + tail.join('').toLowerCase() : upper;
}

/** `lower`: a character in lower case, a sigma by where it stands. */
function mapCharacters(text: string, change: (character: string, lower: string) => string): string {
  if (!text.includes('Σ')) return Array.from(text, (one) => change(one, one.toLowerCase())).join('');
  const whole = text.toLowerCase();
  let at = 0;
  return Array.from(text, (one) => {
    const size = one.toLowerCase().length;
    at += size;
    return change(one, whole.slice(at - size, at));
  }).join('');
}
