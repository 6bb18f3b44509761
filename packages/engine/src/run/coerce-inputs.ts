import type { FlowInputSpec } from '../flow/flow-spec.ts';
import type { NodeError } from '../node/node-error.ts';
import { Float } from '../value/float.ts';
import { parseJson, type Value, type Values } from '../value/json.ts';
import { pythonRepr, pythonStr } from '../value/python-text.ts';

export type Coerced =
  | { readonly ok: true; readonly inputs: Values }
  | { readonly ok: false; readonly error: NodeError };

/**
 * The inputs of a row as the flow's types want them, defaults filled in where an input is absent. First all missing
 * inputs in the order of declaration, then conversion in the same order. Inputs the flow does not declare are carried
 * along. Rules and messages are Prompt flow's (`FlowValidator`, `ValueType.parse`).
 *
 * @param line index of the row; undefined outside a dataset
 */
export function coerceInputs(declared: readonly FlowInputSpec[], given: Values, line: number | undefined): Coerced {
  const missing = declared.find((input) => !Object.hasOwn(given, input.name) && (input.default ?? null) === null);
  if (missing !== undefined) return { ok: false, error: notProvided(missing.name, line) };
  const inputs: Record<string, Value> = { ...given };
  for (const input of declared) {
    const value = Object.hasOwn(given, input.name) ? (given[input.name] ?? null) : (input.default ?? null);
    const converted = convertValue(value, input.type);
    if (!converted.ok) return { ok: false, error: wrongInput(input, value, converted, line) };
    inputs[input.name] = converted.value;
  }
  return { ok: true, inputs };
}

export type Converted =
  | { readonly ok: true; readonly value: Value }
  /** `json` is Python's message when the text is no JSON. */
  | { readonly ok: false; readonly json?: string };

/** One value as Prompt flow's `ValueType.parse` reads it. */
export function convertValue(value: Value, type: string): Converted {
  const convert = converters[type];
  return convert === undefined ? { ok: true, value } : convert(value);
}

const refused: Converted = { ok: false };

const converters: Readonly<Record<string, (value: Value) => Converted>> = {
  int: toInt,
  double: toDouble,
  bool: toBool,
  string: (value) => ({ ok: true, value: typeof value === 'string' ? value : pythonStr(value) }),
  list: toList,
  object: toObject,
};

function toInt(value: Value): Converted {
  if (typeof value === 'boolean') return { ok: true, value: Number(value) };
  if (typeof value === 'bigint') return { ok: true, value };
  if (typeof value === 'number' || value instanceof Float) {
    const number = value.valueOf();
    if (!Number.isFinite(number)) return refused;
    const whole = Math.trunc(number);
    return { ok: true, value: Number.isSafeInteger(whole) ? whole : BigInt(whole) };
  }
  if (typeof value !== 'string') return refused;
  const text = value.trim();
  if (!/^[+-]?\d+(_\d+)*$/.test(text)) return refused;
  const digits = text.replaceAll('_', '').replace(/^\+/, '');
  const number = Number(digits);
  return { ok: true, value: Number.isSafeInteger(number) ? number : BigInt(digits) };
}

const floatText = /^[+-]?((\d+(_\d+)*)(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)([eE][+-]?\d+(_\d+)*)?$/;
const namedFloat: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, infinity: Infinity };

function toDouble(value: Value): Converted {
  if (typeof value === 'boolean') return float(Number(value));
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return float(Number(value));
  if (typeof value !== 'string') return refused;
  const text = value.trim();
  const named = namedFloat[text.replace(/^[+-]/, '').toLowerCase()];
  if (named !== undefined) return float(text.startsWith('-') ? -named : named);
  return floatText.test(text) ? float(Number(text.replaceAll('_', ''))) : refused;
}

function float(number: number): Converted {
  return { ok: true, value: Number.isInteger(number) ? new Float(number) : number };
}

function toBool(value: Value): Converted {
  if (typeof value === 'boolean') return { ok: true, value };
  if (typeof value !== 'string' || !/^(true|false)$/i.test(value)) return refused;
  return { ok: true, value: value.toLowerCase() === 'true' };
}

function toList(value: Value): Converted {
  if (Array.isArray(value)) return { ok: true, value };
  if (typeof value !== 'string') return refused;
  const parsed = readJson(value);
  if (!parsed.ok) return parsed;
  return Array.isArray(parsed.value) ? parsed : refused;
}

function toObject(value: Value): Converted {
  if (typeof value !== 'string') return { ok: true, value };
  const parsed = readJson(value);
  return parsed.ok ? parsed : { ok: true, value };
}

function readJson(text: string): Converted {
  try {
    return { ok: true, value: parseJson(text) };
  } catch {
    return { ok: false, json: pythonJsonMessage(text) };
  }
}

/** Python's `JSONDecodeError` text for the commonest case, a text that starts with no value. */
function pythonJsonMessage(text: string): string {
  const offset = text.length - text.trimStart().length;
  const starts = /^(["[{\d-]|true|false|null|NaN|Infinity)/.test(text.slice(offset));
  if (!starts) return `Expecting value: ${pythonPlace(text, offset)}`;
  const error = failureOf(text);
  return error ?? `Expecting value: ${pythonPlace(text, offset)}`;
}

function failureOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error));
    const at = position === null ? text.length : Number(position[1]);
    return `Expecting value: ${pythonPlace(text, at)}`;
  }
}

function pythonPlace(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line} column ${offset - before.lastIndexOf('\n')} (char ${offset})`;
}

function notProvided(name: string, line: number | undefined): NodeError {
  const where = line === undefined ? 'input data' : `line ${line} of input data`;
  return inputError(
    'InputNotFound',
    `The input for flow is incorrect. The value for flow input '${name}' is not provided in ${where}. Please review your input data or remove this input in your flow if it's no longer needed.`,
  );
}

function wrongInput(
  input: FlowInputSpec,
  value: Value,
  failed: { json?: string },
  line: number | undefined,
): NodeError {
  const where = line === undefined ? '' : ` in line ${line} of input data`;
  const { name, type } = input;
  if (failed.json !== undefined) {
    const shown = typeof value === 'string' ? value : pythonRepr(value);
    return inputError(
      'InputParseError',
      `Failed to parse the flow input. The value for flow input '${name}'${where} was interpreted as JSON string since its type is '${type}'. However, the value '${shown}' is invalid for JSON parsing. Error details: (JSONDecodeError) ${failed.json}. Please make sure your inputs are properly formatted.`,
    );
  }
  return inputError(
    'InputTypeError',
    `The input for flow is incorrect. The value for flow input '${name}'${where} does not match the expected type '${type}'. Please change flow input type or adjust the input value in your input data.`,
  );
}

function inputError(code: string, message: string): NodeError {
  return { code, message, retryable: false, codes: ['UserError', 'ValidationError', 'InvalidFlowRequest', code] };
}
