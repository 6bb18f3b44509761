import type * as z from 'zod';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonValue } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { pythonRepr } from '../value/python-text.ts';
import type { SpecPath } from './flow-spec.ts';
import type { YamlDocument } from './yaml-document.ts';

/** The place of the nearest written key on the way to `path`; of a mapping only its name or first line. */
export function nearestSpan(
  document: Pick<YamlDocument, 'locate'>,
  path: SpecPath,
  part: 'key' | 'value',
): Diagnostic['span'] {
  for (let length = path.length; length >= 0; length -= 1) {
    const start = path.slice(0, length);
    const span =
      length === path.length
        ? document.locate(start, part)
        : (document.locate([...start, 'name']) ?? document.locate(start, 'key'));
    if (span !== undefined) return firstLine(span);
  }
  return undefined;
}

function firstLine<S extends NonNullable<Diagnostic['span']>>(span: S): S {
  const text = span.file.text.slice(span.start, span.end);
  const end = text.search(/\r?\n/);
  return end === -1 ? span : { ...span, end: span.start + end };
}

/** The value a path leads to; undefined where nothing is written. */
export function valueAt(value: JsonValue, path: SpecPath): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    const members = current as Readonly<Record<string, JsonValue>>;
    current = ownValue(members, String(step));
  }
  return current;
}

const expectedKinds: Readonly<Record<string, string>> = {
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
};

/** A kind as zod names it, in words: `a list` for `array`. */
export function expectedKind(name: string): string {
  return ownValue(expectedKinds, name) ?? name;
}

/** What should stand where zod found something else: `a list`, `one of a, b`. */
export function expectedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return expectedKind(issue.expected);
    case 'invalid_value':
      return issue.values.length === 1
        ? JSON.stringify(issue.values[0])
        : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return fewest(issue);
    case 'too_big':
      return most(issue);
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return unionText(issue);
    case 'invalid_format':
      return formatText(issue);
    case 'invalid_key':
      return `under a key that is ${alternativeOf(issue.issues[0])}`;
    default:
      return `right (${issue.message})`;
  }
}

function fewest({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'array') return `a list of at least ${minimum}`;
  if (origin === 'string') return minimum > 1 ? `a text of at least ${minimum} characters` : 'a text that is not empty';
  return `${inclusive ? 'at least' : 'above'} ${minimum}`;
}

function most({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  if (origin === 'array') return `a list of at most ${maximum}`;
  if (origin === 'string') return `a text of at most ${maximum} characters`;
  return `${inclusive === false ? 'below' : 'at most'} ${maximum}`;
}

/** Where a key decides which form is meant, what it can be. */
function unionText({ errors, ...issue }: z.core.$ZodIssueInvalidUnion): string {
  const options = 'options' in issue ? (issue.options ?? []) : [];
  if (errors.length === 0) return `one of ${options.map(String).join(', ')}`;
  const forms = [...new Set(errors.map(([first]) => alternativeOf(first)))];
  return forms.reduce((one, other) => `${one} or ${other}`);
}

const formats: Readonly<Record<string, string>> = {
  url: 'a URL with https:// or http://',
  date: 'a date such as 2025-08-20',
  datetime: 'a time such as 2025-08-20T12:00:00Z',
  uuid: 'a UUID',
  email: 'an e-mail address',
  base64: 'bytes in Base64',
};

/** Of a pattern the words that its schema has for it. */
function formatText({ format, pattern, message = '' }: z.core.$ZodIssueInvalidStringFormat): string {
  const isOwn = message !== '' && !message.startsWith('Invalid ');
  return formats[format] ?? (isOwn ? message.replace(/^must be /, '') : `a text of the form ${pattern ?? format}`);
}

/**
 * The same in a sentence, where zod parses what people gave: a schema's own words stay, and rules of our own have some.
 * Undefined leaves zod's.
 */
export function expectedSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return unknownKeysText(issue);
  if (issue.code === 'custom') return undefined;
  const meant = nearestOption(issue as z.core.$ZodIssue, issue.input as JsonValue);
  const advice = meant === undefined ? [] : [`, ${meant}`];
  return ['must be ', expectedOf(issue as z.core.$ZodIssue), ...foundText(issue), ...advice].join('');
}

/** Nothing of a value that is missing, nor of what JSON cannot hold. Where a key decides the form, what it holds. */
function foundText({ code, input, discriminator }: z.core.$ZodRawIssue): readonly string[] {
  const found = typeof discriminator === 'string' ? valueAt(input as JsonValue, [discriminator]) : input;
  if (Array.isArray(found) && code.startsWith('too_')) return [`, not of ${found.length}`];
  const isJson = found !== undefined && ['string', 'number', 'boolean', 'object'].includes(typeof found);
  return isJson && code !== 'invalid_key' ? [`, not ${kindOf(found as JsonValue)}`] : [];
}

function unknownKeysText({ keys = [], inst }: z.core.$ZodRawIssue): string {
  const known = Object.keys((inst as z.ZodObject | undefined)?.shape ?? {});
  return (keys as readonly string[])
    .map((key) => [`unknown key "${key}"`, didYouMean(key, known) ?? []].flat().join(', '))
    .join('; ');
}

/** One of several shapes: `a text`, `a mapping with a text as model`. */
function alternativeOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || issue.path.length === 0) return issue === undefined ? 'right' : expectedOf(issue);
  return `a mapping with ${expectedOf(issue)} as ${issue.path.map(String).join('.')}`;
}

/** What stands there: `a list`, `"text"`, `3`. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeof value === 'object' && !(value instanceof Number) ? 'a mapping' : shown(value);
}

/** Where one of some names was expected, the one that was probably meant. */
export function nearestOption(issue: z.core.$ZodIssue, value: JsonValue): string | undefined {
  if (issue.code !== 'invalid_value' || issue.values.length === 1 || typeof value !== 'string') return undefined;
  return didYouMean(value, issue.values.map(String));
}

const maxLetters = 60;

export function shown(value: JsonValue): string {
  if (typeof value !== 'string') return pythonRepr(value);
  const letters = [...value];
  return letters.length > maxLetters ? `"${letters.slice(0, maxLetters).join('')}…"` : `"${value}"`;
}
