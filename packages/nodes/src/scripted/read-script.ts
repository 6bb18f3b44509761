import { existsSync } from 'node:fs';
import {
  isMapping,
  type JsonObject,
  type JsonValue,
  type NodeError,
  PrepareError,
  parseYaml,
  placeOf,
  readNamedFile,
  refusalOf,
} from '@unroll/engine';
import type { ScriptedReply } from './scripted-service.ts';

/**
 * Reads a script: a YAML list of `{when, reply}` and `{when, error: {code, message, retryable}}`.
 *
 * @throws PrepareError with the path and what is wrong, where the file is no such list
 */
export function readScript(path: string): readonly ScriptedReply[] {
  const file = { path, text: readScriptText(path) };
  const { value, diagnostics } = parseYaml(file);
  const [first] = diagnostics;
  if (first !== undefined) {
    const { line, column } = placeOf(file, first.span?.start ?? 0);
    throw mistake(`${path}:${line}:${column} cannot be read: ${first.message}`);
  }
  if (!Array.isArray(value)) throw wrongShape(`${path} is no list of replies`);
  return (value as readonly JsonValue[]).map((one, index) => toReply(one, `${path}: reply ${index + 1}`));
}

const expected = 'Expected a list of {when, reply} and {when, error: {code, message, retryable}}';

function wrongShape(problem: string): PrepareError {
  return mistake(`${problem}. ${expected}.`, { problem, expected });
}

function mistake(message: string, parts?: PrepareError['parts']): PrepareError {
  return new PrepareError({ code: 'InvalidScript', message, retryable: false }, parts);
}

function readScriptText(path: string): string {
  if (!existsSync(path)) throw mistake(`${path} cannot be read: there is no such file`);
  try {
    return readNamedFile(path);
  } catch (error) {
    throw mistake(`${path} cannot be read: ${refusalOf(error) ?? (error as Error).message}`);
  }
}

function toReply(one: JsonValue, place: string): ScriptedReply {
  if (!isMapping(one)) throw wrongShape(`${place} is no mapping`);
  const { when, reply, error } = one;
  if (!isMapping(error) && (reply ?? null) === null) throw wrongShape(`${place} has no reply`);
  return {
    ...(when === undefined ? {} : { when: String(when) }),
    ...(reply === undefined ? {} : { reply }),
    ...(isMapping(error) ? { error: toError(error) } : {}),
  };
}

function toError({ code = 'ScriptedError', message = '', retryable = false }: JsonObject): NodeError {
  return { code: String(code), message: String(message), retryable: retryable === true };
}
