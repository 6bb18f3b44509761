import { pythonStr } from './python-text.ts';
import { plainOf } from './python-types.ts';
import { characters, isText, textLength } from './python-values.ts';
import { spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';

const space = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${space}+`);
const oneSpace = new RegExp(space);
const spaces = new RegExp(`${space}+`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the line ends of Python's splitlines
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

export const isSpace = new RegExp(`^${space}+$`);

/** Python's `strip`, `lstrip` (side -1) and `rstrip` (side 1); `chars` null strips white space. */
export function strip(text: string, chars: string | null, side: -1 | 0 | 1 = 0): string {
  if (chars === null) {
    const left = side <= 0 ? text.replace(leading, '') : text;
    return side >= 0 ? withoutTrailing(left) : left;
  }
  const set = new Set(chars);
  const all = characters(text);
  let start = 0;
  let end = all.length;
  if (side <= 0) while (start < end && set.has(all[start] ?? '')) start++;
  if (side >= 0) while (end > start && set.has(all[end - 1] ?? '')) end--;
  return all.slice(start, end).join('');
}

/** From the end: a pattern would look at each run of white space from every place in it. */
function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && oneSpace.test(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

/** An argument of `strip` and its like. */
export function optionalText(value: unknown, name: string): string | null {
  if (value === undefined || value === null) return null;
  return isText(plainOf(value)) ? pythonStr(plainOf(value)) : raise('TypeError', `${name} arg must be None or str`);
}

/** Python's `split` at white space or at a separator, at most `limit` times (negative: all). */
export function split(text: string, separator: string | null, limit: number): string[] {
  if (separator !== null) {
    const parts = text.split(separator);
    if (limit < 0 || parts.length <= limit + 1) return parts;
    return [...parts.slice(0, limit), parts.slice(limit).join(separator)];
  }
  let rest = strip(text, null, -1);
  const parts: string[] = [];
  while (rest !== '') {
    const found = limit >= 0 && parts.length >= limit ? null : spaces.exec(rest);
    if (found === null) {
      parts.push(strip(rest, null, limit >= 0 && parts.length >= limit ? -1 : 1));
      break;
    }
    parts.push(rest.slice(0, found.index));
    rest = rest.slice(found.index + found[0].length);
  }
  return parts;
}

/** Python's `rsplit`. */
export function splitRight(text: string, separator: string | null, limit: number): string[] {
  if (limit < 0) return split(text, separator, -1);
  if (separator !== null) {
    const parts = text.split(separator);
    if (parts.length <= limit + 1) return parts;
    const cut = parts.length - limit;
    return [parts.slice(0, cut).join(separator), ...parts.slice(cut)];
  }
  const backwards = (one: string): string => [...one].reverse().join('');
  return split(backwards(text), null, limit).map(backwards).reverse();
}

export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const found of text.matchAll(lineEnd)) {
    lines.push(text.slice(start, keepEnds ? found.index + found[0].length : found.index));
    start = found.index + found[0].length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Python's `replace`; `count` negative replaces all. */
export function replaceText(text: string, old: string, replacement: string, count: number): string {
  if (old === '') {
    const all = characters(text);
    const limit = count < 0 ? all.length + 1 : count;
    const parts = all.map((one, at) => (at < limit ? replacement : '') + one);
    return parts.join('') + (all.length < limit ? replacement : '');
  }
  const parts = text.split(old);
  spendMembers(parts.length);
  if (count < 0) return parts.join(replacement);
  const cut = Math.min(count, parts.length - 1);
  return (
    [...parts.slice(0, cut + 1)].join(replacement) +
    parts
      .slice(cut + 1)
      .map((part) => old + part)
      .join('')
  );
}

/** Python's `center`: an odd space goes left when the width is odd. */
export function center(text: string, width: number, fill = ' '): string {
  const missing = width - textLength(text);
  if (missing <= 0) return text;
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}
