import type { PathResult, ValuePath } from './get-path.ts';
import { holdsNumber, type JsonValue, parseJsonWith } from './json.ts';

/**
 * As `getPath`, in a value as `stringifyJson` writes it, in UTF-8 and without white space: what is not asked for is passed
 * over and never read.
 */
export function reachInBytes(bytes: Buffer, start: number, path: ValuePath): PathResult | undefined {
  let at: number | undefined = start;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index] as string | number;
    const isKey = typeof step === 'string';
    if (bytes[at] !== (isKey ? opening : openingList)) return { value: valueInBytes(bytes, at), steps: index };
    at = isKey ? memberInBytes(bytes, at, step) : itemInBytes(bytes, at, step);
    if (at === undefined) return undefined;
  }
  return { value: valueInBytes(bytes, at), steps: path.length };
}

/** The value that begins at a position. */
export function valueInBytes(bytes: Buffer, start: number): JsonValue {
  switch (bytes[start]) {
    case quote:
      return stringInBytes(bytes, start);
    case 0x74:
      return true;
    case 0x66:
      return false;
    case 0x6e:
      return null;
    default:
      return parseJsonWith(textOf(bytes, start, endInBytes(bytes, start)), holdsNumber);
  }
}

function stringInBytes(bytes: Buffer, start: number): string {
  const end = stringEnd(bytes, start + 1);
  for (let at = start + 1; at < end; at += 1) {
    if (bytes[at] === backslash) return JSON.parse(textOf(bytes, start, end)) as string;
  }
  return textOf(bytes, start + 1, end - 1);
}

/** Where the member of a mapping begins; undefined where there is none, or no mapping. */
export function memberInBytes(bytes: Buffer, start: number, name: string): number | undefined {
  if (bytes[start] !== opening) return undefined;
  let at = start + 1;
  while (bytes[at] !== closing) {
    const keyEnd = stringEnd(bytes, at + 1);
    if (isNamed(bytes, at + 1, keyEnd - 1, name)) return keyEnd + 1;
    at = afterComma(bytes, endInBytes(bytes, keyEnd + 1));
  }
  return undefined;
}

/** Where a member of a list begins; undefined where there is none, or no list. */
function itemInBytes(bytes: Buffer, start: number, index: number): number | undefined {
  if (bytes[start] !== openingList) return undefined;
  const isFromEnd = index < 0;
  const starts: number[] = [];
  for (let at = start + 1; bytes[at] !== closingList; at = afterComma(bytes, endInBytes(bytes, at))) {
    if (!isFromEnd && starts.length === index) return at;
    starts.push(at);
  }
  return isFromEnd ? starts.at(index) : undefined;
}

/** Past the last byte of the value that begins at a position. */
export function endInBytes(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) return stringEnd(bytes, start + 1);
  if (first === opening || first === openingList) return containerEnd(bytes, start + 1);
  let at = start;
  while (isWithinScalar(bytes[at])) at += 1;
  return at;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening = 0x7b;
const closing = 0x7d;
const openingList = 0x5b;
const closingList = 0x5d;

function isWithinScalar(byte: number | undefined): boolean {
  return byte !== undefined && byte !== comma && byte !== closing && byte !== closingList;
}

function afterComma(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === comma) return at + 1;
  if (byte === closing || byte === closingList) return at;
  throw new Error(`bug: byte ${at} is not within JSON as it is printed`);
}

/** By byte: 1 where it opens a mapping or list, -1 where it closes one. */
const depthOf = new Int8Array(256);
depthOf[opening] = depthOf[openingList] = 1;
depthOf[closing] = depthOf[closingList] = -1;

/** @param start after what opened it */
function containerEnd(bytes: Buffer, start: number): number {
  let depth = 1;
  let at = start;
  while (depth > 0) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error('bug: JSON that does not end');
    at += 1;
    if (byte === quote) at = stringEnd(bytes, at);
    else depth += depthOf[byte] as number;
  }
  return at;
}

/** Within so many bytes most strings end; what is longer is searched natively from there. */
const shortString = 256;

/** @param start after the quote; @returns past the closing one */
function stringEnd(bytes: Buffer, start: number): number {
  let at = start;
  for (const far = start + shortString; at < far; ) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  return longStringEnd(bytes, at);
}

function longStringEnd(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const found = bytes.indexOf(quote, at);
    if (found < 0) throw new Error('bug: JSON that does not end');
    if (!isEscaped(bytes, found, at)) return found + 1;
    at = found + 1;
  }
}

/** @param from where no escape is under way */
function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let before = at;
  while (before > from && bytes[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 1;
}

/** Whether the bytes between two quotes say a name. */
function isNamed(bytes: Buffer, start: number, end: number, name: string): boolean {
  const size = end - start;
  if (size < name.length) return false;
  for (let at = 0; at < size; at += 1) {
    const byte = bytes[start + at] as number;
    if (byte === backslash || byte > 0x7f) return JSON.parse(textOf(bytes, start - 1, end + 1)) === name;
    if (byte !== name.charCodeAt(at)) return false;
  }
  return size === name.length;
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}
