import {
  Float,
  isMapping,
  type JsonObject,
  type JsonValue,
  jsonOrText,
  parseJson,
  stringifyJson,
  thrownText,
} from '@unroll/engine';
import type { ActionDocument } from './document-action.ts';
import type { ApiAnswer, ApiRequest } from './run-action.ts';
import { standardize, unreserved } from './standard-name.ts';

/** A request with what was recorded for it: a line of a file of answers. */
export interface RecordedAnswer {
  readonly category: string;
  readonly tool_name: string;
  readonly api_name: string;
  readonly tool_input: JsonValue;
  readonly answer: JsonObject;
}

export type RecordedAnswers = ReadonlyMap<string, JsonObject>;

/** A line of a file of answers that is none. */
export class RecordedAnswerError extends Error {
  /** From 1. */
  readonly line: number;
  /** What is wrong with it, without the line. */
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(`line ${line} of the recorded answers: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/**
 * Answers by what was asked; arguments count whatever their order. Of lines that ask the same the last counts.
 *
 * @param text JSONL
 * @throws RecordedAnswerError for the first line that is no recorded answer
 */
export function readRecordedAnswers(text: string): RecordedAnswers {
  const recorded = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : readLine(line, at + 1)));
  return new Map(recorded.map(({ answer, ...asked }) => [keyOf(asked), answer]));
}

function readLine(line: string, number: number): RecordedAnswer {
  let value: JsonValue;
  try {
    value = parseJson(line);
  } catch (error) {
    throw new RecordedAnswerError(number, `no JSON: ${thrownText(error)}`);
  }
  if (isRecordedAnswer(value)) return value;
  throw new RecordedAnswerError(number, 'expected {category, tool_name, api_name, tool_input, answer: {…}}');
}

function isRecordedAnswer(value: JsonValue): value is JsonObject & RecordedAnswer {
  if (!isMapping(value)) return false;
  const names = [value['category'], value['tool_name'], value['api_name']];
  return names.every((name) => typeof name === 'string') && 'tool_input' in value && isMapping(value['answer']);
}

/** What was recorded for a request; undefined where nothing was. */
export function recordedAnswer(
  asked: Omit<RecordedAnswer, 'answer'>,
  recorded: RecordedAnswers,
): JsonObject | undefined {
  return recorded.get(keyOf(asked));
}

/** What the published server says to input that is no JSON object. */
export const inputError = 'Tool input parse error...';

/** What is asked of the virtual API server for an action, and what was recorded for it. */
export interface RecalledCall {
  readonly request: ApiRequest | null;
  readonly answer: JsonObject | null;
  /** Whether the answer has to be simulated. */
  readonly simulate: boolean;
}

/**
 * The first half of a virtual API server: recorded answers first, a simulator for the rest, so that an episode is the same
 * today and in a year. Finish, and an action that does not exist, ask for nothing; input that is no JSON object is refused
 * in the words of the published server.
 */
export function recallAnswer(
  { place, parameters }: ActionDocument,
  given: string,
  recorded: RecordedAnswers,
): RecalledCall {
  if (place === null) return { request: null, answer: null, simulate: false };
  const request = {
    category: place.category,
    tool_name: place.tool,
    api_name: place.api,
    tool_input: withDocumentedNames(given, parameters),
    strip: 'truncate',
  };
  const asked = jsonOrText(request.tool_input);
  if (!isMapping(asked)) return { request, answer: { error: inputError, response: '' }, simulate: false };
  const answer = recordedAnswer({ ...request, tool_input: asked }, recorded) ?? null;
  return { request, answer, simulate: answer === null };
}

/** An answer of the simulator: `{error, response}` as JSON; any other text is the response. */
export function simulatedAnswer(text: JsonValue): ApiAnswer {
  const value = jsonOrText(text);
  const isAnswer = typeof value === 'object' && value !== null && !Array.isArray(value) && 'response' in value;
  return { type: 'answer', status: 200, body: isAnswer ? value : { error: '', response: value } };
}

/**
 * Arguments under the names that the API has. A model that learned ToolBench's names writes `is_id` for what the
 * documentation calls `id`.
 */
function withDocumentedNames(given: string, parameters: readonly string[]): string {
  const value = jsonOrText(given);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return given;
  const byAlias = new Map(parameters.map((name) => [unreserved(standardize(name)), name]));
  const named = Object.entries(value).map(([name, item]) => [
    parameters.includes(name) ? name : (byAlias.get(name) ?? name),
    item,
  ]);
  return stringifyJson(Object.fromEntries(named) as JsonObject);
}

/** The same for calls that are the same. */
export function keyOf(asked: Omit<RecordedAnswer, 'answer'>): string {
  return JSON.stringify([asked.category, asked.tool_name, asked.api_name, stringifyJson(sorted(asked.tool_input))]);
}

/** In one order; `1` and `1.0` are the same on the wire. */
function sorted(value: JsonValue): JsonValue {
  if (value instanceof Float) return value.valueOf();
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonObject).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, item]) => [name, sorted(item)]));
}
