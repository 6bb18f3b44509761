import type * as z from 'zod';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonValue } from '../value/json.ts';
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
    current = Object.hasOwn(members, step) ? members[step] : undefined;
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
  return expectedKinds[name] ?? name;
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
      if (issue.origin === 'array') return `a list of at least ${issue.minimum}`;
      return issue.origin === 'string'
        ? 'a text that is not empty'
        : `${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'invalid_union':
      return [...new Set(issue.errors.map(([first]) => alternativeOf(first)))].join(' or ');
    case 'invalid_format':
      return 'the name of one property: letters, digits and _';
    default:
      return `right (${issue.message})`;
  }
}

const described: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'too_small', 'too_big']);

/** The same in a sentence, where zod parses what people gave: a schema's own words stay. Undefined leaves zod's. */
export function expectedSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (!described.has(issue.code)) return undefined;
  const found = typeof issue.input === 'number' ? [`, not ${issue.input}`] : [];
  return ['must be ', expectedOf(issue as z.core.$ZodIssue), ...found].join('');
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

const maxLetters = 60;

export function shown(value: JsonValue): string {
  if (typeof value !== 'string') return pythonRepr(value);
  const letters = [...value];
  return letters.length > maxLetters ? `"${letters.slice(0, maxLetters).join('')}…"` : `"${value}"`;
}
