import { DepthError } from './depth.ts';
import { Float } from './float.ts';
import { type JsonValue, parseJson } from './json.ts';
import { ownValue } from './own-value.ts';
import { pythonJsonError } from './python-json-error.ts';
import { asciiDigits, pythonStr } from './python-text.ts';

export type Converted =
  | { readonly ok: true; readonly value: JsonValue }
  /** `json` is Python's message when the text is no JSON, or that it nests too deep. */
  | { readonly ok: false; readonly json?: string; readonly isTooDeep?: true };

/** One value as an input of that type takes it: a text that holds a number is a number. */
export function convertValue(value: JsonValue, type: string): Converted {
  const convert = ownValue(converters, type);
  return convert === undefined ? { ok: true, value } : convert(value);
}

const notConverted: Converted = { ok: false };

const converters: Readonly<Record<string, (value: JsonValue) => Converted>> = {
  int: toInt,
  double: toDouble,
  number: toNumber,
  bool: toBool,
  string: (value) => ({ ok: true, value: typeof value === 'string' ? value : pythonStr(value) }),
  list: toList,
  object: toObject,
};

function toInt(value: JsonValue): Converted {
  if (typeof value === 'boolean') return { ok: true, value: Number(value) };
  if (typeof value === 'bigint') return { ok: true, value };
  if (typeof value === 'number' || value instanceof Float) {
    const number = value.valueOf();
    if (!Number.isFinite(number)) return notConverted;
    const whole = Math.trunc(number);
    return { ok: true, value: Number.isSafeInteger(whole) ? whole : BigInt(whole) };
  }
  if (typeof value !== 'string') return notConverted;
  const text = asciiDigits(value.trim());
  if (!/^[+-]?\d+(_\d+)*$/.test(text)) return notConverted;
  const digits = text.replaceAll('_', '').replace(/^\+/, '');
  const number = Number(digits);
  return { ok: true, value: Number.isSafeInteger(number) ? number : BigInt(digits) };
}

const floatText = /^[+-]?((\d+(_\d+)*)(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)([eE][+-]?\d+(_\d+)*)?$/;
const namedFloat: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
]);

function toDouble(value: JsonValue): Converted {
  if (typeof value === 'boolean') return float(Number(value));
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return float(Number(value));
  if (typeof value !== 'string') return notConverted;
  const text = asciiDigits(value.trim());
  const named = namedFloat.get(text.replace(/^[+-]/, '').toLowerCase());
  if (named !== undefined) return float(text.startsWith('-') ? -named : named);
  return floatText.test(text) ? float(Number(text.replaceAll('_', ''))) : notConverted;
}

function float(number: number): Converted {
  return { ok: true, value: Number.isInteger(number) ? new Float(number) : number };
}

function toNumber(value: JsonValue): Converted {
  const whole = typeof value === 'string' ? toInt(value) : notConverted;
  if (whole.ok) return whole;
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;
  return isNumber ? { ok: true, value } : toDouble(value);
}

function toBool(value: JsonValue): Converted {
  if (typeof value === 'boolean') return { ok: true, value };
  if (typeof value !== 'string' || !/^(true|false)$/i.test(value)) return notConverted;
  return { ok: true, value: value.toLowerCase() === 'true' };
}

function toList(value: JsonValue): Converted {
  if (Array.isArray(value)) return { ok: true, value };
  if (typeof value !== 'string') return notConverted;
  const parsed = readJson(value);
  if (!parsed.ok) return parsed;
  return Array.isArray(parsed.value) ? parsed : notConverted;
}

function toObject(value: JsonValue): Converted {
  if (typeof value !== 'string') return { ok: true, value };
  const parsed = readJson(value);
  return parsed.ok || parsed.isTooDeep === true ? parsed : { ok: true, value };
}

function readJson(text: string): Converted {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    if (error instanceof DepthError) return { ok: false, json: error.message, isTooDeep: true };
    return { ok: false, json: pythonJsonError(text) ?? 'Expecting value: line 1 column 1 (char 0)' };
  }
}
