import { spend } from './render-budget.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** Each character that is escaped takes a step. */
const charactersAdded = 4;

/** markupsafe's escape of a text. */
export function escapeHtml(text: string): string {
  const escaped = text.replace(/[&<>'"]/g, (character) => entities[character] ?? character);
  spend((escaped.length - text.length) / charactersAdded);
  return escaped;
}
