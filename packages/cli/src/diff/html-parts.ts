import { type JsonValue, textOrJson } from '@unroll/engine';
import { diffShownWords, type TextPart, type ValueChange } from '@unroll/evals';
import { trimPart } from './paint-changes.ts';

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A text's change with `<del>` and `<ins>`, long parts that stayed the same cut. */
function wordsHtml(left: string, right: string): string {
  const parts = diffShownWords(left, right);
  return parts.map((part, index) => partHtml(trimPart(part, index > 0, index < parts.length - 1))).join('');
}

function partHtml({ kind, text }: TextPart): string {
  const escaped = escapeHtml(text);
  if (kind === 'same') return escaped;
  return kind === 'removed' ? `<del>${escaped}</del>` : `<ins>${escaped}</ins>`;
}

/** What became of one place: words of texts, old and new of all else. */
export function changeHtml({ left, right }: ValueChange): string {
  if (typeof left === 'string' && typeof right === 'string') return wordsHtml(left, right);
  return [
    left === undefined ? '' : `<del>${valueHtml(left)}</del>`,
    right === undefined ? '' : `<ins>${valueHtml(right)}</ins>`,
  ]
    .filter((part) => part !== '')
    .join(' → ');
}

function valueHtml(value: JsonValue): string {
  return escapeHtml(textOrJson(value));
}
