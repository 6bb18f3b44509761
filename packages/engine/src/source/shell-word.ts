/** A word as it is typed into a shell: in quotes where it holds more than letters of any script, digits and signs without a meaning there. */
export function shellWord(word: string): string {
  return /^[\p{L}\p{M}\p{N}_@%+:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
