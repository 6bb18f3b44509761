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
import { messageProblem } from '../openai/message-problem.ts';
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
  return mistake(`${problem}${problem.endsWith('?') ? '' : '.'} ${expected}.`, { problem, expected });
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
  refuseOtherKeys(one, ['when', 'reply', 'error'], place);
  if (when !== undefined && !isPlain(when)) throw wrongShape(`${place}: "when" must be a text`);
  const condition = when === undefined ? {} : { when: String(when) };
  if (error !== undefined && reply !== undefined) throw wrongShape(`${place} has both reply and error`);
  return { ...condition, ...(error === undefined ? toAnswer(reply, place) : { error: toError(error, place) }) };
}

function toAnswer(reply: JsonValue | undefined, place: string): { readonly reply: JsonValue } {
  if (reply === undefined || reply === null) throw wrongShape(`${place} has no reply`);
  const problem = replyProblem(reply);
  if (problem !== undefined) throw wrongShape(`${place}: ${problem}`);
  return { reply };
}

function refuseOtherKeys(given: JsonObject, known: readonly string[], place: string, within = ''): void {
  const other = Object.keys(given).find((key) => !known.includes(key));
  if (other !== undefined) throw wrongShape(`${place} has an unknown key "${within}${other}"`);
}

/** What reads as a text, as a code that is written as a number does. */
function isPlain(value: JsonValue): boolean {
  return value !== null && (typeof value !== 'object' || value instanceof Number);
}

/** A list is a vector, which an embedding model answers. */
function replyProblem(reply: JsonValue): string | undefined {
  if (isMapping(reply)) return messageProblem(reply);
  return typeof reply === 'string' || Array.isArray(reply) ? undefined : '"reply" must be a text or a message';
}

function toError(given: JsonValue, place: string): NodeError {
  if (!isMapping(given)) throw wrongShape(`${place}: "error" must be a mapping`);
  refuseOtherKeys(given, ['code', 'message', 'retryable'], place, 'error.');
  const { code = 'ScriptedError', message = '', retryable = false } = given;
  for (const [name, value] of Object.entries({ code, message }))
    if (!isPlain(value)) throw wrongShape(`${place}: "error.${name}" must be a text`);
  if (typeof retryable !== 'boolean') throw wrongShape(`${place}: "error.retryable" must be true or false`);
  return { code: String(code), message: String(message), retryable };
}
