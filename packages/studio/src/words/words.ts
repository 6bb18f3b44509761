import { computed, effect, signal } from '@preact/signals';
import { english, type Words } from './english.ts';
import { japanese } from './japanese.ts';

type Language = 'en' | 'ja';

const kept = 'unroll-language';

/** The language the reader chose, else the browser's first of those there are. */
export const language = signal<Language>(chosen());

/** Words of the page in the reader's language. */
export const words = computed<Words>(() => (language.value === 'ja' ? japanese : english));

export function switchLanguage(): void {
  language.value = language.value === 'ja' ? 'en' : 'ja';
  localStorage.setItem(kept, language.value);
}

function chosen(): Language {
  const found = localStorage.getItem(kept) ?? navigator.languages.map((one) => one.slice(0, 2)).find(isKnown);
  return found === 'ja' ? 'ja' : 'en';
}

function isKnown(tag: string): boolean {
  return tag === 'en' || tag === 'ja';
}

effect(() => {
  document.documentElement.lang = language.value;
});
