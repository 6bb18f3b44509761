import { isPlainObject } from './plain-object.ts';

/**
 * How deep lists and mappings may lie in one another in a value that comes from outside: `[]` is 1 deep, `{"a": []}` 2.
 * What walks over values calls itself once a level, which no value within this limit makes overflow.
 */
export const MAX_DEPTH = 1000;

/** Records and messages of our own hold values some levels down. */
export const OWN_DEPTH = MAX_DEPTH + 100;

/** A JSON text, or a value, that is deeper than is read. */
export class DepthError extends SyntaxError {}

export function depthMessage(limit = MAX_DEPTH): string {
  return `nested deeper than ${limit} levels`;
}

/** @throws DepthError where a JSON text nests deeper; O(length), and little more than nothing for most texts */
export function checkTextDepth(text: string, limit = MAX_DEPTH): void {
  const at = tooDeepAt(text, limit);
  if (at !== undefined) throw new DepthError(`${depthMessage(limit)} (character ${at + 1})`);
}

/**
 * A JSON text without what lies in brackets that are `depth` deep: a value that is too deep is so still, and the whole can
 * be read.
 */
export function withoutDeepParts(text: string, depth: number): string {
  const parts: string[] = [];
  let kept = 0;
  visitBrackets(text, (at, level) => {
    if (level === depth) parts.push(text.slice(kept, at + 1));
    else if (level === -depth) kept = at;
    return false;
  });
  return `${parts.join('')}${text.slice(kept)}`;
}

/** Whether a value nests deeper than the limit. */
export function isTooDeep(value: unknown, limit = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (limit === 0) return holdsMembers(value);
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, limit - 1));
  for (const name in value) if (isTooDeep((value as Readonly<Record<string, unknown>>)[name], limit - 1)) return true;
  return false;
}

/** Lists and mappings; a Float and what lives elsewhere are no levels. */
function holdsMembers(value: object): boolean {
  return Array.isArray(value) || isPlainObject(value);
}

/** Offset of the first bracket that opens a level too many. */
function tooDeepAt(text: string, limit: number): number | undefined {
  if (!holdsBrackets(text, limit)) return undefined;
  return visitBrackets(text, (_at, level) => level > limit);
}

/**
 * Goes over the brackets of a JSON text that are not within strings.
 *
 * @param visit told the offset and how deep it opens, of what closes a level with a minus; true ends the walk there
 */
function visitBrackets(text: string, visit: (at: number, level: number) => boolean): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const step = steps[code] ?? 0;
    if (code === quote) at = stringEnd(text, at);
    if (step === 0) continue;
    if (step > 0) depth += 1;
    if (visit(at, step * depth)) return at;
    if (step < 0) depth -= 1;
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;

/** By character: 1 where it opens a level, -1 where it closes one. */
const steps = new Int8Array(128);
for (const opening of '[{') steps[opening.charCodeAt(0)] = 1;
for (const closing of ']}') steps[closing.charCodeAt(0)] = -1;

/** Whether so many levels could be opened: of most texts a native search tells that they could not. */
function holdsBrackets(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const opening of ['[', '{']) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

/** @param start of its opening quote; @returns of the closing one, or the end of the text */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
