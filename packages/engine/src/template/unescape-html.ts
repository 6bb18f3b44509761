import { decodeHTML } from 'entities/decode';

/** Python's `html.unescape`: every entity of HTML 5, old ones without their semicolon too. The only door to entities. */
export function unescapeHtml(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}
