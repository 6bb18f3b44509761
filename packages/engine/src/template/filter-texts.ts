import { escapeHtml } from './escape-html.ts';
import { onText, softText } from './filter-support.ts';
import { pythonRepr, pythonStr } from './python-text.ts';
import { dictPairs, isDict, Markup, plainOf, Tuple, Undefined } from './python-types.ts';
import { characters, index, isIterable, isText, iterate, length, textLength, toList, truth } from './python-values.ts';
import { spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';
import * as text from './text-functions.ts';
import { typeName } from './type-name.ts';
import { unescapeHtml } from './unescape-html.ts';
import { urlize } from './urlize.ts';

export function replaceFilter([value, old, replacement, count]: readonly unknown[]): unknown {
  const limit = count === undefined || count === null ? -1 : index(count);
  return text.replaceText(pythonStr(value), pythonStr(old), pythonStr(replacement), limit);
}

export function titleFilter(value: unknown): unknown {
  return onText(value, (given) =>
    given
      .split(/([-\s({[<]+)/)
      .filter((part) => part !== '')
      .map((part) => {
        const [first = '', ...rest] = characters(part);
        return first.toUpperCase() + rest.join('').toLowerCase();
      })
      .join(''),
  );
}

export function truncate([given, size, killWords, ending, leeway]: readonly unknown[]): unknown {
  const limit = size === undefined ? 255 : index(size);
  const end = ending === undefined ? '...' : pythonStr(ending);
  const slack = leeway === undefined || leeway === null ? 5 : index(leeway);
  const endLength = textLength(end);
  if (limit < endLength) raise('AssertionError', `expected length >= ${endLength}, got ${limit}`);
  if (slack < 0) raise('AssertionError', `expected leeway >= 0, got ${slack}`);
  if (length(given) <= limit + slack) return given;
  const whole = plainOf(given);
  if (!isText(whole)) return raise('AttributeError', `'${typeName(given)}' object has no attribute 'rsplit'`);
  const cut = characters(pythonStr(whole))
    .slice(0, limit - endLength)
    .join('');
  return (truth(killWords) ? cut : (text.splitRight(cut, ' ', 1)[0] ?? '')) + end;
}

export function indent([value, width, first, blank]: readonly unknown[]): unknown {
  if (value instanceof Undefined) return value.fail();
  if (value instanceof Tuple) return raise('TypeError', 'can only concatenate tuple (not "str") to tuple');
  if (Array.isArray(value)) return raise('AttributeError', "'list' object has no attribute 'splitlines'");
  if (!isText(plainOf(value)))
    return raise('TypeError', `unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`);
  const margin = isText(width) ? pythonStr(width) : ' '.repeat(Math.max(0, width === undefined ? 4 : index(width)));
  return onText(value, (given) => {
    const lines = text.splitLines(`${given}\n`);
    const indented = truth(blank)
      ? lines.join(`\n${margin}`)
      : lines.map((line, at) => (at > 0 && line !== '' ? margin + line : line)).join('\n');
    return truth(first) ? margin + indented : indented;
  });
}

function urlQuote(value: unknown, forQuery: boolean): string {
  const given = softText(value);
  spendMembers(given.length);
  const half = given.search(/\p{Surrogate}/u);
  if (half >= 0) return notEncoded(given, half);
  const quoted = encodeURIComponent(given).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return forQuery ? quoted.replaceAll('%20', '+') : quoted.replaceAll('%2F', '/');
}

function notEncoded(given: string, half: number): never {
  const shown = `\\u${given.charCodeAt(half).toString(16)}`;
  const at = textLength(given.slice(0, half));
  const message = `'utf-8' codec can't encode character '${shown}' in position ${at}: surrogates not allowed`;
  return raise('UnicodeEncodeError', message);
}

export function urlEncode(value: unknown): unknown {
  if (isText(plainOf(value)) || !isIterable(value)) return urlQuote(value, false);
  const pairs = isDict(value) ? dictPairs(value) : Array.from(iterate(value), pairOf);
  return pairs.map(([key, member]) => `${urlQuote(key, true)}=${urlQuote(member, true)}`).join('&');
}

function pairOf(value: unknown): readonly unknown[] {
  if (!isIterable(value)) return raise('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  const items = toList(value);
  if (items.length > 2) return raise('ValueError', 'too many values to unpack (expected 2)');
  if (items.length < 2) return raise('ValueError', `not enough values to unpack (expected 2, got ${items.length})`);
  return items;
}

export function xmlAttributes([value, autospace]: readonly unknown[]): unknown {
  if (!isDict(value)) {
    if (value instanceof Undefined) return value.fail();
    return raise('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
  }
  const parts: string[] = [];
  for (const [key, member] of dictPairs(value)) {
    if (member === null || member instanceof Undefined) continue;
    if (!isText(key)) raise('TypeError', `expected string or bytes-like object, got '${typeName(key)}'`);
    if (/[ \t\n\r\f\v/>=]/.test(pythonStr(key)))
      raise('ValueError', `Invalid character in attribute name: ${pythonRepr(key)}`);
    parts.push(`${escaped(key).text}="${escaped(member).text}"`);
  }
  const text = parts.join(' ');
  return autospace !== undefined && !truth(autospace) ? text : text === '' ? '' : ` ${text}`;
}

export function escaped(value: unknown): Markup {
  return value instanceof Markup ? value : new Markup(escapeHtml(pythonStr(value)));
}

/** As markupsafe: comments and tags go, white space is one space, and only then entities are read. */
export function stripTags(value: unknown): string {
  const given = pythonStr(value);
  let bare = '';
  let from = 0;
  for (let start = given.indexOf('<'); start >= 0; start = given.indexOf('<', from)) {
    const isComment = given.startsWith('<!--', start);
    const end = isComment ? given.indexOf('-->', start + 4) : given.indexOf('>', start);
    if (end < 0) break;
    bare += given.slice(from, start);
    from = end + (isComment ? 3 : 1);
  }
  return unescapeHtml(text.split(bare + given.slice(from), null, -1).join(' '));
}

export function urlizeFilter([value, limit, nofollow, target, rel, schemes]: readonly unknown[]): unknown {
  const given = rel === undefined || rel === null ? [] : text.split(pythonStr(rel), null, -1);
  return urlize(escaped(value).text, {
    limit: limit === undefined || limit === null ? undefined : index(limit),
    rel: [...given, 'noopener', ...(nofollow !== undefined && truth(nofollow) ? ['nofollow'] : [])],
    target: target === undefined || target === null ? undefined : pythonStr(target),
    schemes: schemes === undefined || schemes === null ? [] : toList(schemes).map(schemeOf),
  });
}

function schemeOf(value: unknown): string {
  if (!isText(value)) return raise('TypeError', `expected string or bytes-like object, got '${typeName(value)}'`);
  const scheme = pythonStr(value);
  if (/^[\p{L}\p{N}_.+-]{2,}:(?:\/){0,2}$/u.test(scheme)) return scheme;
  return raise('FilterArgumentError', `${pythonRepr(scheme)} is not a valid URI scheme prefix.`);
}
