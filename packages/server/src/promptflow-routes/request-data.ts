import { type FlowInputSpec, isMapping, type JsonObject, type JsonValue, type Plan, pythonRepr } from '@unroll/engine';
import { decodeBody } from './decode-body.ts';
import { type ScoreError, userError } from './score-error.ts';

export type RequestData =
  | { readonly ok: true; readonly inputs: JsonObject }
  | { readonly ok: false; readonly error: ScoreError };

/**
 * The inputs in a body: a JSON object, or for a flow with one input the text it is. A flow without inputs does not look at it,
 * but for code whose parameters cannot be seen. Inputs without a default must be there.
 */
export function readRequestData(
  { inputs, takesAnyInput }: Pick<Plan, 'inputs' | 'takesAnyInput'>,
  body: Uint8Array,
): RequestData {
  const [only, ...others] = inputs;
  if (only === undefined && takesAnyInput !== true) return { ok: true, inputs: {} };
  const decoded = decodeBody(body);
  if (only === undefined) return requestObject(decoded.kind === 'json' ? decoded.value : null);
  if (decoded.kind !== 'json' && others.length > 0) return refusal(userError(jsonIsNeeded));
  if (decoded.kind === 'no-text') return refusal({ status: 500, message: decoded.message });
  const data = decoded.kind === 'json' ? decoded.value : { [only.name]: decoded.text };
  const required = inputs.filter(isRequired).map(({ name }) => name);
  const missing = required.filter((name) => !holds(data, name));
  if (missing.length > 0 && mayHold(data)) {
    const message = `Required input fields ${pythonRepr(missing)} are missing in request data ${pythonRepr(data)}`;
    return refusal(userError(message));
  }
  return requestObject(data);
}

/** A parameter of code that the flow does not declare may have a default, as `None`, that is not told. */
function isRequired({ default: fallback = null, isAnnotated, hasOwnDefault }: FlowInputSpec): boolean {
  return fallback === null && !(isAnnotated === true && hasOwnDefault === true);
}

function requestObject(data: JsonValue): RequestData {
  return isMapping(data) ? { ok: true, inputs: data } : refusal(userError(objectIsNeeded));
}

const jsonIsNeeded =
  "Promptflow executor received non json data, but there's more than 1 input fields, please use json request data instead.";
const objectIsNeeded = 'The request data must be a JSON object with the inputs of the flow by name.';

/** Python's `in`: a key of a mapping, an item of a list, a part of a text. */
function holds(data: JsonValue, name: string): boolean {
  if (typeof data === 'string' || Array.isArray(data)) return data.includes(name);
  return isMapping(data) && Object.hasOwn(data, name);
}

/** Whether Python can look for something in it. */
function mayHold(data: JsonValue): boolean {
  return typeof data === 'string' || Array.isArray(data) || isMapping(data);
}

function refusal(error: ScoreError): RequestData {
  return { ok: false, error };
}
