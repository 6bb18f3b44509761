import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import type { AgentFormat } from './agent-options.ts';
import { reactStep } from './react-text.ts';

/** One call of a turn with what the model is told of it. */
export interface AnsweredCall {
  readonly id?: string;
  readonly name: string;
  readonly text: string;
}

/** What the model is shown of the steps so far: messages, or for `react` texts, one a step. */
export type Shown = readonly JsonValue[];

/**
 * What is shown after a turn: as before, then the message with its calls once, then each result in call order. Results are
 * parts of messages, never text of a prompt, so that nothing in them opens a message.
 */
export function withTurn(
  before: Shown,
  said: JsonObject,
  answered: readonly AnsweredCall[],
  format: AgentFormat,
): Shown {
  if (format === 'react') return [...before, ...answered.map(({ text }) => reactStep(String(said['log'] ?? ''), text))];
  return [...before, said, ...answered.map((one) => resultMessage(one, format))];
}

export function resultMessage({ id, name, text }: AnsweredCall, format: AgentFormat): JsonObject {
  return format === 'functions'
    ? { role: 'function', name, content: text }
    : { role: 'tool', tool_call_id: id ?? '', content: text };
}

/**
 * The last `count` steps of what is shown; all where `count` is 0 or less. Of a turn that is cut through, the calls left
 * out are left out of its message too: a service refuses calls without results.
 */
export function lastSteps(shown: Shown, count: number): Shown {
  if (count <= 0) return shown;
  const results = shown.flatMap((one, index) => (isAssistant(one) ? [] : [index])).slice(-count);
  // By their places: two steps may be the same to the letter.
  const kept = new Set(results);
  const ids = new Set(results.flatMap((index) => toolCallId(shown[index])));
  return shown.flatMap((one, index): readonly JsonValue[] => {
    if (isAssistant(one)) return withCallsOf(one, ids, kept.has(index + 1));
    return kept.has(index) ? [one] : [];
  });
}

function toolCallId(result: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return isMapping(result) ? [result['tool_call_id']] : [];
}

function withCallsOf(
  said: JsonObject,
  ids: ReadonlySet<JsonValue | undefined>,
  isFollowed: boolean,
): readonly JsonObject[] {
  const { tool_calls: calls } = said;
  if (!Array.isArray(calls)) return isFollowed ? [said] : [];
  const left = (calls as readonly JsonValue[]).filter((call) => isMapping(call) && ids.has(call['id']));
  return left.length === 0 ? [] : [{ ...said, tool_calls: left }];
}

function isAssistant(shown: JsonValue): shown is JsonObject {
  return isMapping(shown) && shown['role'] === 'assistant';
}
