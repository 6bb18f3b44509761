import { expect, test } from 'vitest';
import { readerLanguage } from './reader-language.ts';

test.for([
  { environment: { LANG: 'ja_JP.UTF-8' }, language: 'ja' },
  { environment: { LANG: 'ja' }, language: 'ja' },
  { environment: { LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }, language: 'en' },
  { environment: { LANG: 'en_GB.UTF-8', LC_MESSAGES: 'ja_JP.eucJP' }, language: 'ja' },
  { environment: { LANG: 'C.UTF-8', LC_ALL: '' }, language: 'en' },
  { environment: { LANG: 'jam_JM' }, language: 'en' },
] as const)('$environment is $language', ({ environment, language }) => {
  expect(readerLanguage(environment)).toBe(language);
});
