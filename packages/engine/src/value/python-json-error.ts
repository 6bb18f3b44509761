import { depthMessage, MAX_DEPTH } from './depth.ts';

/**
 * Why Python's `json.loads` refuses a text, in its words: `Unterminated string starting at: line 1 column 11 (char 10)`.
 * undefined when it would accept the text. What nests deeper than `MAX_DEPTH` is refused too.
 */
export function pythonJsonError(text: string): string | undefined {
  if (text.startsWith('\uFEFF')) return placed('Unexpected UTF-8 BOM (decode using utf-8-sig)', text, 0);
  try {
    const end = skipSpace(text, readValue(text, skipSpace(text, 0), 0));
    return end === text.length ? undefined : placed('Extra data', text, end);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return placed(refusal.message, text, refusal.at);
  }
}

class Refusal extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

function placed(message: string, text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
  return `${message}: line ${line} column ${column} (char ${[...before].length})`;
}

const words = ['null', 'true', 'false', 'NaN', 'Infinity', '-Infinity'];
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

/** Offset behind the value that starts at `at`. */
function readValue(text: string, at: number, depth: number): number {
  const first = text[at];
  if (first === '"') return readString(text, at + 1);
  if (first === '{' || first === '[') {
    if (depth === MAX_DEPTH) throw new Refusal(depthMessage(), at);
    return first === '{' ? readObject(text, at + 1, depth + 1) : readArray(text, at + 1, depth + 1);
  }
  const word = words.find((candidate) => text.startsWith(candidate, at));
  if (word !== undefined) return at + word.length;
  numberPattern.lastIndex = at;
  const number = numberPattern.exec(text);
  if (number === null) throw new Refusal('Expecting value', at);
  return at + number[0].length;
}

function readObject(text: string, start: number, depth: number): number {
  let at = skipSpace(text, start);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new Refusal('Expecting property name enclosed in double quotes', at);
    at = skipSpace(text, readString(text, at + 1));
    if (text[at] !== ':') throw new Refusal("Expecting ':' delimiter", at);
    at = skipSpace(text, readValue(text, skipSpace(text, at + 1), depth));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new Refusal("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

function readArray(text: string, start: number, depth: number): number {
  let at = skipSpace(text, start);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skipSpace(text, readValue(text, at, depth));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new Refusal("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

function readString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') return at + 1;
    if (character < ' ') throw new Refusal('Invalid control character at', at);
    if (character === '\\') at = readEscape(text, at + 1, start - 1);
  }
  throw new Refusal('Unterminated string starting at', start - 1);
}

/** Offset of the escape's last character. */
function readEscape(text: string, at: number, stringStart: number): number {
  const escaped = text[at];
  if (escaped === undefined) throw new Refusal('Unterminated string starting at', stringStart);
  if (escaped === 'u') {
    if (!/^[0-9a-fA-F]{4}/.test(text.slice(at + 1, at + 5))) throw new Refusal('Invalid \\uXXXX escape', at);
    return at + 4;
  }
  if (!'"\\/bfnrt'.includes(escaped)) throw new Refusal('Invalid \\escape', at - 1);
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (' \t\n\r'.includes(text[at] ?? 'end')) at += 1;
  return at;
}
