import {
  cutText,
  isMapping,
  type JsonValue,
  type NodeError,
  type NodeOutcome,
  type Prompty,
  parseJson,
  pythonRepr,
  thrownText,
} from '@unroll/engine';

/** The answer of a prompty whose `response_format` is JSON: read, and cut to the declared outputs. */
export function jsonAnswer(outcome: NodeOutcome, { outputs: declared }: Prompty): NodeOutcome {
  if (!outcome.ok) return outcome;
  const outputs = Object.keys(declared);
  const read = readJson(outcome.output);
  const report = outcome.report === undefined ? {} : { report: outcome.report };
  if ('error' in read) return { ok: false, error: read.error, ...report };
  if (outputs.length === 0) return { ok: true, output: read.value, ...report };
  if (!isMapping(read.value)) return { ok: false, error: noMapping(read.value, outputs), ...report };
  const values = read.value;
  const missing = outputs.find((key) => !Object.hasOwn(values, key));
  if (missing !== undefined) return { ok: false, error: missingKey(missing, Object.keys(values)), ...report };
  return { ok: true, output: Object.fromEntries(outputs.map((key) => [key, values[key] ?? null])), ...report };
}

function readJson(text: JsonValue): { readonly value: JsonValue } | { readonly error: NodeError } {
  try {
    return { value: parseJson(String(text)) };
  } catch (error) {
    const reason = thrownText(error);
    return { error: refuse('JSONDecodeError', `the answer is no JSON (${reason}): ${cutText(String(text), 200)}`) };
  }
}

function missingKey(key: string, keys: readonly string[]): NodeError {
  return refuse('InvalidOutputKeyError', `Cannot find ${key} in response ${pythonRepr(keys)}`);
}

function noMapping(value: JsonValue, keys: readonly string[]): NodeError {
  const kind = Array.isArray(value) ? 'a list' : String(value);
  return refuse('InvalidOutputKeyError', `Cannot find ${keys[0]} in the answer: it is ${kind} and no mapping`);
}

/** The model may answer otherwise when asked again. */
function refuse(code: string, message: string): NodeError {
  return { code, message, retryable: true };
}
