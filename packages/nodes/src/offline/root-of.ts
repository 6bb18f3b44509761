/** A word of the Latin alphabet without its ending, the same in British and American spelling: notices, notice; anonymise, anonymous. */
export function rootOf(word: string): string {
  return inOneSpelling(
    withoutEnding(word.replace(/['’]s?$/u, ''))
      .replace(/(?<=..)e$/u, '')
      .replace(/i$/u, 'y'),
  );
}

function withoutEnding(word: string): string {
  if (word.length < 4) return word;
  if (/[^aeiou]ies$/u.test(word)) return word.replace(/ies$/u, 'y');
  if (/[^su]s$/u.test(word)) return withoutEnding(word.slice(0, -1));
  if (/sses$/u.test(word)) return word.slice(0, -2);
  const cut = word.replace(/(?<=[aeiouy].*)(?:ing|(?<!e)ed)$/u, '');
  return cut === word ? word : cut.replace(/(?<=..)([bdgmnprt])\1$/u, '$1');
}

/** anonymize, anonymise, anonymou(s) and anonymously; organization and organisation. */
function inOneSpelling(word: string): string {
  return word.length > 7 ? word.replace(/(?:i[sz](?:er|ation)?|ous?(?:ly)?)$/u, '') : word;
}
