import { DepthError, isMapping, type JsonObject, parseJson } from '@unroll/engine';

export type ReadObject =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly message: string };

/** @param what it holds: `the labels` */
export function readObject(text: string, what: string): ReadObject {
  const message = `The body must be a JSON object with ${what}`;
  try {
    const value = parseJson(text);
    return isMapping(value) ? { ok: true, value } : { ok: false, message: `${message}.` };
  } catch (error) {
    return { ok: false, message: error instanceof DepthError ? `${message}; it is ${error.message}.` : `${message}.` };
  }
}
