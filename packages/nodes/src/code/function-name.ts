import { basename } from 'node:path';

/** The name of the function that a file is named after: `search-faq.ts` gives `searchFaq`. */
export function functionNameOf(path: string): string {
  return camelCase(basename(path).replace(/\.[^.]+$/, ''));
}

function camelCase(name: string): string {
  return name
    .replace(/[^\w$]+(\w?)/g, (_all, letter: string) => letter.toUpperCase())
    .replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
