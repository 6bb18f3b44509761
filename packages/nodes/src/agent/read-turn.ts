import { isMapping, type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import type { AgentFormat } from './agent-options.ts';
import type { AskedCall, ModelTurn } from './model-turn.ts';
import { readReact } from './react-text.ts';

/**
 * Reads the output of an llm node: a message, or the text alone where no tools were offered. The calls of a message are
 * read in their order; one whose arguments are no JSON object stands among them with its problem.
 *
 * @param turn number of the turn, for ids of calls that come without one
 */
export function readTurn(message: JsonValue, format: AgentFormat, turn: number): ModelTurn {
  if (format === 'react') return readReact(messageText(message));
  if (!isMapping(message)) return { kind: 'answer', status: 'answered', content: message ?? '' };
  const calls = callsOf(message, turn);
  if (calls.length > 0) return { kind: 'calls', calls, said: saidOf(message, calls) };
  const { content, refusal } = message;
  if (typeof refusal === 'string' && refusal !== '') return { kind: 'answer', status: 'refused', content: refusal };
  return { kind: 'answer', status: 'answered', content: content === undefined ? '' : content };
}

function messageText(message: JsonValue): string {
  const text = isMapping(message) ? message['content'] : message;
  return typeof text === 'string' ? text : '';
}

function callsOf(
  { tool_calls: toolCalls, function_call: functionCall }: JsonObject,
  turn: number,
): readonly AskedCall[] {
  if (Array.isArray(toolCalls) && toolCalls.length > 0) {
    return (toolCalls as readonly JsonValue[]).map((one, index) => {
      const { id, function: called } = isMapping(one) ? one : {};
      return { id: typeof id === 'string' ? id : `call_${turn}_${index + 1}`, ...callOf(called) };
    });
  }
  return isMapping(functionCall) ? [callOf(functionCall)] : [];
}

function callOf(written: JsonValue | undefined): AskedCall {
  const { name, arguments: given } = isMapping(written) ? written : {};
  const called = typeof name === 'string' ? name : '';
  if (typeof given !== 'string') return { name: called, arguments: given ?? {} };
  if (given.trim() === '') return { name: called, arguments: {} };
  try {
    const value = parseJson(given);
    if (isMapping(value)) return { name: called, arguments: value };
    return { name: called, arguments: given, problem: 'the arguments are no JSON object' };
  } catch (error) {
    return { name: called, arguments: given, problem: `the arguments are no JSON: ${(error as Error).message}` };
  }
}

/** What a provider gave with a message or a call, and refuses the next request without. */
function wantedBack(given: JsonValue, key: string): JsonObject {
  const value = isMapping(given) ? given[key] : undefined;
  return value === undefined || value === null ? {} : { [key]: value };
}

/** The message as it is shown to the model again: its text and its calls, as it wrote them. */
function saidOf(message: JsonObject, calls: readonly AskedCall[]): JsonObject {
  const { content = null, tool_calls: toolCalls, function_call: functionCall } = message;
  const said = { role: 'assistant', content, ...wantedBack(message, 'reasoning') };
  if (!Array.isArray(toolCalls) || toolCalls.length === 0) {
    return { ...said, function_call: functionCall ?? null };
  }
  const written = (toolCalls as readonly JsonValue[]).map((one, index) => ({
    id: calls[index]?.id ?? '',
    type: 'function',
    function: isMapping(one) ? (one['function'] ?? null) : null,
    ...wantedBack(one, 'reasoning'),
    ...wantedBack(one, 'provider_options'),
  }));
  return { ...said, tool_calls: written };
}
