import { checkTextDepth, OWN_DEPTH } from './depth.ts';
import { Float } from './float.ts';

/**
 * What travels between nodes. JSON, and three things Python has beside it: `Float` (1.0 is not 1), bigint (an int beyond
 * 2^53) and the non-finite floats NaN and ±Infinity as plain numbers.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = Readonly<Record<string, JsonValue>>;

/**
 * Reads JSON as Python's `json.loads` does: `1.0` stays a float, large ints stay exact, bare `NaN`, `Infinity` and
 * `-Infinity` are read.
 *
 * @param depth how deep it may nest; `MAX_DEPTH` unless told
 * @throws SyntaxError as `JSON.parse` does; DepthError, which is one, where it nests deeper
 */
export function parseJson(text: string, depth?: number): JsonValue {
  checkTextDepth(text, depth);
  const plain = needsCare(text) ? reviveNumbers(text) : JSON.parse(text);
  return plain as JsonValue;
}

/** What a text holds as JSON; undefined where it is none. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** What a text holds as JSON; a text that is none, and any other value, stays as it is. */
export function jsonOrText(value: JsonValue): JsonValue {
  const read = typeof value === 'string' ? jsonIn(value) : undefined;
  return read === undefined ? value : read;
}

/** A text as it is, anything else as JSON. */
export function textOrJson(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** As `parseJson`, for what this product wrote itself round values from outside. */
export function parseOwnJson(text: string): JsonValue {
  return parseJson(text, OWN_DEPTH);
}

/**
 * As `parseOwnJson`, for texts of which few hold numbers that need care: what the plain reading gave tells whether to look.
 *
 * @param mayNeedCare told what `JSON.parse` reads
 */
export function parseJsonWith(text: string, mayNeedCare: (plain: JsonValue) => boolean): JsonValue {
  checkTextDepth(text, OWN_DEPTH);
  let plain: JsonValue;
  try {
    plain = JSON.parse(text) as JsonValue;
  } catch {
    return parseOwnJson(text);
  }
  return mayNeedCare(plain) ? parseOwnJson(text) : plain;
}

export function holdsNumber(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsNumber);
  for (const name in value) if (holdsNumber(value[name as never])) return true;
  return false;
}

/** Prints JSON as `JSON.stringify`, with `1.0` for a Float, all digits of a bigint, and bare NaN and Infinity. */
export function stringifyJson(value: JsonValue, indent?: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (indent === undefined && isPlain(value)) return JSON.stringify(value);
  return JSON.stringify(value, exactNumbers, indent).replaceAll(nonFiniteMark, '$1');
}

const nonFinite = '\u{F8F0}';
const escapedMark = '\\uf8f0';
const nonFiniteMark = new RegExp(`(?<!\\\\)"${nonFinite}(NaN|Infinity|-Infinity)"(?!:)`, 'gu');
/** What of a JSON text tells where a text in it begins and ends, and what of it is no JSON. */
const piece = /\\[\s\S]|"|\u{F8F0}|(?<=[[:,\s]|^)(?:-?Infinity|NaN)(?=\s*(?:[\],}]|$))/gu;

/** Where a number may begin, one that is written as a float and may be whole, or has more digits than a double keeps. */
const careful = /(?:^|[\s[,:])-?(?:\d+(?:\.0|(?:\.\d+)?[eE])|[\d.]{16})|NaN|Infinity/;

/** Hexadecimal digests, of which records are full, are none. */
function needsCare(text: string): boolean {
  return careful.test(text);
}

interface SourceContext {
  readonly source?: string;
}

function reviveNumbers(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: SourceContext) => unknown,
  ) => unknown;
  const quoted = quoteNonFinite(text);
  const isMarked = quoted !== text;
  return parse(quoted, (_key, value, { source = '' }) => {
    if (typeof value === 'number') return exactNumber(value, source);
    if (isMarked && source.startsWith(`"${nonFinite}`)) return Number(source.slice(1 + nonFinite.length, -1));
    return value;
  });
}

function exactNumber(value: number, source: string): unknown {
  const isFloat = /[.eE]/.test(source);
  if (isFloat) return Number.isInteger(value) ? new Float(value) : value;
  return Number.isSafeInteger(value) ? value : BigInt(source);
}

/** Texts that hold the mark are written otherwise, so that it tells what was quoted here and nothing else. O(length). */
function quoteNonFinite(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text;
  let isWithin = false;
  return text.replace(piece, (found) => {
    if (found === '"') isWithin = !isWithin;
    else if (found === nonFinite) return escapedMark;
    else if (!isWithin && !found.startsWith('\\')) return `"${nonFinite}${found}"`;
    return found;
  });
}

function isPlain(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null || value instanceof Float) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  for (const name in value)
    if (!isPlain((value as Readonly<Record<string, JsonValue>>)[name] as JsonValue)) return false;
  return true;
}

function exactNumbers(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return rawJson(String(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return `${nonFinite}${value}`;
  if (typeof value === 'string' && value.startsWith(nonFinite))
    return rawJson(`"${escapedMark}${JSON.stringify(value.slice(nonFinite.length)).slice(1)}`);
  return value;
}

function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
