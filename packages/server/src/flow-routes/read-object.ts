import { isMapping, type JsonObject, parseJson } from '@unroll/engine';

/** A JSON object; undefined where the text is none. */
export function readObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isMapping(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
