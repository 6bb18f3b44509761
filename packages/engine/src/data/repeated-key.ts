import { Float } from '../value/float.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';

export interface RepeatedKey {
  readonly key: string;
  /** Offset in the text of the second of them. */
  readonly at: number;
}

/**
 * A key that one object of a JSON text names twice: reading keeps the last of them and says nothing.
 *
 * @param text valid JSON
 * @param read what it was read as; tells in nearly all texts that there is none, without looking at each character
 */
export function repeatedKey(text: string, read: JsonValue): RepeatedKey | undefined {
  return colonsIn(text) > keysIn(read) ? firstRepeated(text) : undefined;
}

/** Ends of texts with a colon behind them: keys, and what looks like one within a text. */
function colonsIn(text: string): number {
  return text.match(/"\s*:/g)?.length ?? 0;
}

function keysIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || value instanceof Float) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const member of value) count += keysIn(member);
  else for (const name in value) count += 1 + keysIn((value as JsonObject)[name] as JsonValue);
  return count;
}

function firstRepeated(text: string): RepeatedKey | undefined {
  /** Keys of the objects that are open; none of a list. */
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') open.push(new Set());
    if (character === '}' || character === ']') open.pop();
    if (character !== '"') continue;
    const end = endOfText(text, at);
    const key = keyAt(text, at, end);
    if (key !== undefined && isKnown(key, open.at(-1))) return { key, at };
    at = end;
  }
  return undefined;
}

/** Where the quotation mark stands that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}

/** Whether it was there; it is from then on. */
function isKnown(key: string, keys = new Set<string>()): boolean {
  return keys.has(key) || keys.add(key).size === 0;
}

const colonNext = /\s*:/y;

function keyAt(text: string, start: number, end: number): string | undefined {
  colonNext.lastIndex = end + 1;
  return colonNext.test(text) ? (JSON.parse(text.slice(start, end + 1)) as string) : undefined;
}
