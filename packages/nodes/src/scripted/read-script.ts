import { readFileSync } from 'node:fs';
import { isMapping, type JsonObject, type JsonValue, type NodeError, parseYaml } from '@unroll/engine';
import type { ScriptedReply } from './scripted-service.ts';

/**
 * Reads a script: a YAML list of `{when, reply}` and `{when, error: {code, message, retryable}}`.
 *
 * @throws Error with the path and what is wrong, where the file is no such list
 */
export function readScript(path: string): readonly ScriptedReply[] {
  const { value, diagnostics } = parseYaml({ path, text: readFileSync(path, 'utf8') });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${path} cannot be read: ${first.message}`);
  if (!Array.isArray(value)) throw new Error(`${path} is no list of replies`);
  return (value as readonly JsonValue[]).map((one, index) => toReply(one, `${path}: reply ${index + 1}`));
}

function toReply(one: JsonValue, place: string): ScriptedReply {
  if (!isMapping(one)) throw new Error(`${place} is no mapping`);
  const { when, reply, error } = one;
  return {
    ...(when === undefined ? {} : { when: String(when) }),
    ...(reply === undefined ? {} : { reply }),
    ...(isMapping(error) ? { error: toError(error) } : {}),
  };
}

function toError({ code = 'ScriptedError', message = '', retryable = false }: JsonObject): NodeError {
  return { code: String(code), message: String(message), retryable: retryable === true };
}
