/** Languages that samples are written in. */
export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

/** The language of who reads, by the variables in the order of POSIX; by the system's own setting where none is set, as on Windows. */
export function readerLanguage({ LC_ALL, LC_MESSAGES, LANG }: Readonly<Record<string, string | undefined>>): Language {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((one) => one !== undefined && one !== '');
  return /^ja(?:$|[_.@-])/u.test(locale ?? Intl.DateTimeFormat().resolvedOptions().locale) ? 'ja' : 'en';
}
