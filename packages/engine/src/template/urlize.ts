import { escapeHtml } from './escape-html.ts';

export interface UrlizeOptions {
  /** Longest shown address, in code units; no limit when absent. */
  readonly limit?: number | undefined;
  /** Words of the links' `rel`. */
  readonly rel: readonly string[];
  readonly target?: string | undefined;
  /** Beginnings of words that count as addresses too, as `ftp:`. */
  readonly schemes: readonly string[];
}

const address = new RegExp(
  '^(?:' +
    '(?:https?://|www\\.)(?:(?:[\\p{L}\\p{N}_%-]+\\.)+)?(?:[a-z]{2,63}|xn--[\\p{L}\\p{N}_%]{2,59})' +
    '|(?:[\\p{L}\\p{N}_%-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)' +
    '|https?://(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[(?:[\\da-f]{0,4}:){2}(?:[\\da-f]{0,4}:?){1,6}\\])' +
    ')(?::\\d{1,5})?(?:[/?#]\\S*)?$',
  'iu',
);
const mail = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u;
const pairs = [
  ['(', ')'],
  ['<', '>'],
  ['&lt;', '&gt;'],
] as const;

/** Jinja2's `urlize`: addresses in a text that is escaped already become links (`jinja2.utils.urlize` of 3.1). */
export function urlize(text: string, { limit, rel, target, schemes }: UrlizeOptions): string {
  const words = [...new Set(rel)].sort().join(' ');
  const relation = words === '' ? '' : ` rel="${escapeHtml(words)}"`;
  const attributes = `${relation}${target === undefined ? '' : ` target="${escapeHtml(target)}"`}`;
  const shown = (url: string): string =>
    limit !== undefined && url.length > limit ? `${url.slice(0, limit)}...` : url;
  return text
    .split(/(\s+)/u)
    .map((word) => {
      const [head, middle, tail] = balanced(...partsOf(word));
      return `${head}${linked(middle, shown, attributes, schemes)}${tail}`;
    })
    .join('');
}

function partsOf(word: string): [string, string, string] {
  const head = /^(?:[(<]|&lt;)+/.exec(word)?.[0] ?? '';
  const rest = word.slice(head.length);
  let end = rest.length;
  for (let size = endingSize(rest, end); size > 0; size = endingSize(rest, end)) end -= size;
  return [head, rest.slice(0, end), rest.slice(end)];
}

/** Characters of the mark that ends before a place. */
function endingSize(word: string, end: number): number {
  if (end > 0 && ')>.,\n'.includes(word[end - 1] as string)) return 1;
  return word.endsWith('&gt;', end) ? 4 : 0;
}

/** A closing bracket belongs to the address when the address opened it. */
function balanced(head: string, middle: string, tail: string): readonly [string, string, string] {
  let [inner, outer] = [middle, tail];
  for (const [open, close] of pairs) {
    const opened = inner.split(open).length - 1;
    if (opened <= inner.split(close).length - 1) continue;
    for (let left = Math.min(opened, outer.split(close).length - 1); left > 0; left -= 1) {
      const end = outer.indexOf(close) + close.length;
      inner += outer.slice(0, end);
      outer = outer.slice(end);
    }
  }
  return [head, inner, outer];
}

function linked(word: string, shown: (url: string) => string, attributes: string, schemes: readonly string[]): string {
  if (address.test(word)) {
    const target = word.startsWith('https://') || word.startsWith('http://') ? word : `https://${word}`;
    return `<a href="${target}"${attributes}>${shown(word)}</a>`;
  }
  if (word.startsWith('mailto:') && mail.test(word.slice(7))) return `<a href="${word}">${word.slice(7)}</a>`;
  const isMail = word.includes('@') && !/^(?:www\.|@)/.test(word) && !word.includes(':') && mail.test(word);
  if (isMail) return `<a href="mailto:${word}">${word}</a>`;
  return schemes.reduce(
    (made, scheme) =>
      made !== scheme && made.startsWith(scheme) ? `<a href="${made}"${attributes}>${made}</a>` : made,
    word,
  );
}
