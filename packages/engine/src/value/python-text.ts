import { Float, stringifyFloat } from './float.ts';
import { isPlainObject } from './plain-object.ts';

/** What Python's `str()` gives: a string as it is, everything else as `pythonRepr`. */
export function pythonStr(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** What Python's `repr()` gives for a value: `None`, `True`, `1.0`, `['a', {'k': "it's"}]`. */
export function pythonRepr(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return Number.isInteger(value) ? String(BigInt(value)) : stringifyFloat(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'object':
      return objectRepr(value);
    case 'undefined':
      return 'None';
    default:
      return String(value);
  }
}

function objectRepr(value: object | null): string {
  if (value === null) return 'None';
  if (value instanceof Float) return stringifyFloat(value.valueOf());
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (!isPlainObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${quoted(key)}: ${pythonRepr(member)}`)
    .join(', ')}}`;
}

/** Single quotes unless the text holds some and no double ones; what cannot be printed is escaped. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  const shown = printableAscii.test(body) ? body : body.replace(notPrintable, escaped);
  return `${quote}${shown}${quote}`;
}

/** Python's `str.isprintable` is false for these, but for the plain space. */
const notPrintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const printableAscii = /^[ -~]*$/;

const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const named = namedEscapes[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Digits of any script as ASCII digits, since Python's int() and float() read `１２` as 12. */
export function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Unicode gives the ten digits of a script consecutive code points. */
function digitValue(codePoint: number): number {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}
