import type { FlowInputSpec } from '../flow/flow-spec.ts';
import type { NodeError } from '../node/node-error.ts';
import { convertValue } from '../value/convert-value.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { pythonRepr } from '../value/python-text.ts';

export type Coerced =
  | { readonly ok: true; readonly inputs: JsonObject }
  | { readonly ok: false; readonly error: NodeError };

/**
 * The inputs of a row as the flow's types want them, defaults filled in where an input is absent. First all missing
 * inputs in the order of declaration, then conversion in the same order. Inputs the flow does not declare are carried
 * along, and so are those of which a signature alone tells.
 *
 * @param line index of the row; undefined outside a dataset
 */
export function coerceInputs(declared: readonly FlowInputSpec[], given: JsonObject, line: number | undefined): Coerced {
  const typed = declared.filter(({ isAnnotated = false }) => !isAnnotated);
  const missing = typed.find((input) => isRequired(input) && !Object.hasOwn(given, input.name));
  if (missing !== undefined) return { ok: false, error: notProvided(missing.name, line) };
  const inputs: Record<string, JsonValue> = { ...given };
  for (const input of typed) {
    const value = Object.hasOwn(given, input.name) ? (given[input.name] ?? null) : (input.default ?? null);
    const converted = convertedFor(input, value);
    if (!converted.ok) return { ok: false, error: wrongInput(input, value, converted, line) };
    inputs[input.name] = converted.value;
  }
  return { ok: true, inputs };
}

/** A sample shows what an input may be and asks for no type: texts, which a command line gives for everything, are read as it where they can be. */
function convertedFor({ type, isOfSample }: FlowInputSpec, value: JsonValue): ReturnType<typeof convertValue> {
  if (isOfSample !== true) return convertValue(value, type);
  const converted = typeof value === 'string' ? convertValue(value, type) : undefined;
  return converted?.ok === true || converted?.isTooDeep === true ? converted : { ok: true, value };
}

const inputCodes: readonly string[] = ['InputNotFound', 'InputParseError', 'InputTooDeep', 'InputTypeError'];

/** Whether what failed a row before any of its nodes was its inputs, as `coerceInputs` tells it. */
export function isInputError({ code, node }: { readonly code: string; readonly node?: string | null }): boolean {
  return (node ?? null) === null && inputCodes.includes(code);
}

/** Whether a row must give the input. */
export function isRequired({ default: fallback = null, isAnnotated, hasOwnDefault }: FlowInputSpec): boolean {
  return fallback === null && !(isAnnotated === true && hasOwnDefault === true);
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
  value: JsonValue,
  failed: { json?: string; isTooDeep?: true },
  line: number | undefined,
): NodeError {
  const where = line === undefined ? '' : ` in line ${line} of input data`;
  const { name, type } = input;
  if (failed.isTooDeep === true) {
    return inputError(
      'InputTooDeep',
      `The value for flow input '${name}'${where} is ${failed.json}, which is the limit.`,
    );
  }
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
  return { code, message, retryable: false };
}
