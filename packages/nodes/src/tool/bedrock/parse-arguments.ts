export type ArgumentsProblem = 'MALFORMED_ARGUMENT' | 'DUPLICATE_ARGUMENT' | 'UNTERMINATED_VALUE';

export type ParsedArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly reason: ArgumentsProblem };

const keyPattern = /\s*([A-Za-z_][\p{L}\p{N}_.$-]*)\s*=\s*/uy;
const nextArgument = /\s*(?:,\s*(?:[A-Za-z_][\p{L}\p{N}_.$-]*\s*=|$)|$)/uy;
const blanks = /\s+/y;
const quotes: readonly (readonly [string, string])[] = [
  ['""', '""'],
  ["''", "''"],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
];
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/**
 * Reads `key = value, …` of a function call. A value is quoted, JSON or bare. A closing quote ends its value only
 * where the next argument or the end follows, so that inner quotes are legal; values stay texts.
 */
export function parseArguments(text: string): ParsedArguments {
  const args = new Map<string, string>();
  let at = 0;
  while (text.slice(at).trim() !== '') {
    keyPattern.lastIndex = at;
    const key = keyPattern.exec(text);
    if (key === null) return { ok: false, reason: 'MALFORMED_ARGUMENT' };
    const name = key[1] as string;
    const value = readValue(text, at + key[0].length);
    if (value === undefined) return { ok: false, reason: 'UNTERMINATED_VALUE' };
    if (args.has(name)) return { ok: false, reason: 'DUPLICATE_ARGUMENT' };
    args.set(name, value.text);
    at = value.end + (/^\s*,/.exec(text.slice(value.end))?.[0].length ?? 0);
  }
  return { ok: true, args: Object.fromEntries(args) };
}

interface ReadValue {
  readonly text: string;
  readonly end: number;
}

function readValue(text: string, start: number): ReadValue | undefined {
  const opened = quotes.filter(([open]) => text.startsWith(open, start));
  if (opened.some(([open]) => open.length === 2) && endsValue(text, start + 2)) return { text: '', end: start + 2 };
  for (const [open, close] of opened) {
    const quoted = readQuoted(text, start + open.length, close);
    if (quoted !== undefined) return quoted;
  }
  if (opened.length > 0) return undefined;
  return readJson(text, start) ?? readBare(text, start);
}

function readQuoted(text: string, start: number, close: string): ReadValue | undefined {
  let value = '';
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] as string;
    const escaped = character === '\\' ? text[at + 1] : undefined;
    if (escaped !== undefined && '"\'\\/ntr'.includes(escaped)) {
      value += escapes[escaped] ?? escaped;
      at += 1;
    } else if (text.startsWith(close, at) && endsValue(text, at + close.length)) {
      return { text: value, end: at + close.length };
    } else value += character;
  }
  return undefined;
}

/** A balanced `[…]` or `{…}`, as it stands. */
function readJson(text: string, start: number): ReadValue | undefined {
  if (!/[[{]/.test(text[start] ?? '')) return undefined;
  const end = balancedEnd(text, start);
  return end !== undefined && endsValue(text, end) ? { text: text.slice(start, end), end } : undefined;
}

function balancedEnd(text: string, start: number): number | undefined {
  let token = /(?<opened>[[{])|(?<closed>[\]}])|"(?:[^"\\]|\\.)*(?<end>"?)/gs;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const { opened, closed, end } = found.groups ?? {};
    if (opened !== undefined) depth += 1;
    if (closed !== undefined) depth -= 1;
    if (depth === 0) return token.lastIndex;
    // Where one text has no end, none behind it has: brackets are looked for, and not the rest once for each quote.
    if (end === '') token = withoutTexts(found.index);
  }
  return undefined;
}

function withoutTexts(from: number): RegExp {
  const token = /(?<opened>[[{])|(?<closed>[\]}])/g;
  token.lastIndex = from;
  return token;
}

/** Blanks are passed over at once: where no argument follows the first of them, none follows the others. */
function readBare(text: string, start: number): ReadValue {
  let end = start;
  while (!endsValue(text, end)) {
    blanks.lastIndex = end;
    end += blanks.exec(text)?.[0].length ?? 1;
  }
  return { text: text.slice(start, end).trim(), end };
}

function endsValue(text: string, at: number): boolean {
  nextArgument.lastIndex = at;
  return nextArgument.test(text);
}
