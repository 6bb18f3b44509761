/** Japanese text in which a number and the unit behind it stay in one line: `57 行`. */
export function keptUnits(text: string): string {
  return text.replaceAll(/(?<=\d) (?=[\p{sc=Han}\p{sc=Katakana}])/gu, '\u00a0');
}
