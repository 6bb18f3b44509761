import { type NodeError, type NodeOutcome, type Prompty, parseJson, pythonRepr, type Value } from '@unroll/engine';

/** The answer of a prompty whose `response_format` is JSON: read, and cut to the declared outputs. */
export function jsonAnswer(outcome: NodeOutcome, { outputs }: Prompty): NodeOutcome {
  if (!outcome.ok) return outcome;
  const read = readObject(outcome.output);
  const report = outcome.report === undefined ? {} : { report: outcome.report };
  if ('error' in read) return { ok: false, error: read.error, ...report };
  if (outputs.length === 0) return { ok: true, output: read.value, ...report };
  const values = read.value as { readonly [key: string]: Value };
  const missing = outputs.find((key) => !Object.hasOwn(values, key));
  if (missing !== undefined) return { ok: false, error: missingKey(missing, Object.keys(values)), ...report };
  return { ok: true, output: Object.fromEntries(outputs.map((key) => [key, values[key] ?? null])), ...report };
}

function readObject(text: Value): { readonly value: Value } | { readonly error: NodeError } {
  try {
    const value = parseJson(String(text));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    return { error: refuse('JSONDecodeError', `the answer is no JSON object: ${String(text).slice(0, 200)}`) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: refuse('JSONDecodeError', `the answer is no JSON (${reason}): ${String(text).slice(0, 200)}`) };
  }
}

function missingKey(key: string, keys: readonly string[]): NodeError {
  return refuse('InvalidOutputKeyError', `Cannot find ${key} in response ${pythonRepr(keys)}`);
}

/** The model may answer otherwise when asked again. */
function refuse(code: string, message: string): NodeError {
  return { code, message, retryable: true, codes: ['UserError', code] };
}
