import type { NodeError } from '../node/node-error.ts';
import type { NodeOutcome } from '../node/node-type.ts';
import { cutText } from '../secrets/cut-text.ts';
import { type JsonObject, type JsonValue, jsonOrText, stringifyJson } from '../value/json.ts';
import { pythonEquals } from '../value/python-equality.ts';
import { isMapping } from '../value/shapes.ts';

/** How an answer came about. A state may carry one of these as its own `status`. */
export const loopStatuses = [
  'answered',
  'asked_user',
  'gave_up',
  'refused',
  'unfinished',
  'failed',
  'returned_control',
] as const;

/** All that the result of a loop may have. */
export const loopProperties = ['status', 'answer', 'function_results', 'finalized', 'reason', 'control'] as const;

/**
 * The result of a loop from its last state.
 *
 * Takes `state`, `until` (name of the property that ends the loop), `on_exhausted`, `loop` (its name), `budget` (for
 * readers) and, with `on_exhausted: finalize`, `final` (output of the finalize node) and
 * perhaps `answer_behind` (words its answer stands behind). Gives
 * `{status, answer, function_results?}`, plus `finalized: true` where the finalize node answered and `reason` where a
 * budget ended the loop or nothing was answered: an answer is never invented, and nothing is no answer. Where the state ends with `control` (what the caller is to do), it
 * is given on; with `keeps_results: false` the results are left out. Fails with `LoopExhausted` where the bound was reached and
 * `on_exhausted` is `fail`.
 */
export function loopEnd(inputs: JsonObject): NodeOutcome {
  const outcome = endOf(inputs);
  if (!outcome.ok || inputs['keeps_results'] !== false || !isMapping(outcome.output)) return outcome;
  const { function_results: _leftOut, ...output } = outcome.output;
  return { ok: true, output };
}

function endOf(inputs: JsonObject): NodeOutcome {
  const { state = null, until = 'finished', on_exhausted: onExhausted, loop = '' } = inputs;
  if (!isMapping(state)) {
    const message = `The last state of loop '${loop}' is no object, so that nobody can tell whether it has finished.`;
    return { ok: false, error: failure('LoopStateInvalid', message) };
  }
  if (state[String(until)] === true) return { ok: true, output: finished(state) };
  const spent = state[budgetReached];
  const odd = spent === undefined ? oddEnd(state, String(until)) : undefined;
  if (onExhausted === 'fail') {
    const bound = spent === undefined ? 'its bound' : `its budget (${String(spent)})`;
    const reached = `Loop '${loop}' reached ${bound} and '${until}' of its state is still not true.`;
    const message = odd === undefined ? reached : `Loop '${loop}' cannot go on: ${odd}.`;
    return { ok: false, error: failure('LoopExhausted', message) };
  }
  const results = state['function_results'] ?? [];
  const reason = spent === undefined ? odd : `budget reached: ${String(spent)}`;
  return {
    ok: true,
    output: { ...open(state, inputs), function_results: results, ...(reason === undefined ? {} : { reason }) },
  };
}

/** What a loop gives that is not finished. */
function open(state: JsonObject, inputs: JsonObject): JsonObject {
  const { on_exhausted: onExhausted, final = null, answer_behind: behind } = inputs;
  if (onExhausted === 'finalize') return { status: 'unfinished', finalized: true, answer: answerIn(final, behind) };
  const own = ownStatus(state);
  return { status: own === undefined || own === 'answered' ? 'unfinished' : own, answer: null };
}

/** Nodes wait for false: with anything else that is not true the loop goes round no more, and has not ended either. */
function oddEnd(state: JsonObject, until: string): string | undefined {
  const end = state[until];
  if (end === undefined) return `its state has no "${until}"`;
  if (pythonEquals(end, false)) return undefined;
  return `"${until}" of its state is ${cutText(stringifyJson(end), 60)}, neither true nor false`;
}

function answerIn(final: JsonValue, mark: JsonValue | undefined): JsonValue {
  if (typeof final !== 'string' || typeof mark !== 'string' || !final.includes(mark)) return final;
  return final.slice(final.indexOf(mark) + mark.length).trim();
}

/** Property of a state whose loop goes round no more since a budget is spent: what was spent of what, in words. */
export const budgetReached = 'budget_reached';

/**
 * The state that ends a loop whose budget is spent. `until` is neither true nor false in it: the nodes that wait for false
 * are bypassed, and nothing takes the loop for finished.
 */
export function budgetStoppedState(state: JsonObject, until: string, spent: string): JsonObject {
  return { ...state, [until]: null, [budgetReached]: spent };
}

/**
 * The next state after the last node of a loop failed: the state as it was with the error among its results, once for
 * each call the message asked for, so that the model reads what went wrong.
 *
 * @param state the state the failed node was given
 * @param message what the model said: `{function_call: {name, arguments}}` or `{tool_calls: [{id, function: {…}}]}`
 */
export function feedBackState(state: JsonValue, message: JsonValue, error: NodeError): JsonValue {
  const before = isMapping(state) ? state : { finished: false, query: null };
  const results = before['function_results'];
  const text = error.cause === undefined ? error.message : `${error.cause.code}: ${error.cause.message}`;
  const failed = callsOf(message).map((call) => ({ ...call, content: [text], error: true }));
  return {
    ...before,
    function_results: [...(Array.isArray(results) ? (results as readonly JsonValue[]) : []), ...failed],
  };
}

function finished(state: JsonObject): JsonObject {
  const { function_results: results, control, content: answer = null } = state;
  const status = ownStatus(state) ?? 'answered';
  const isNothing = status === 'answered' && (answer === null || (typeof answer === 'string' && answer.trim() === ''));
  return {
    ...(isNothing ? { status: 'unfinished', answer, reason: 'it ended without an answer' } : { status, answer }),
    ...(results === undefined ? {} : { function_results: results }),
    ...(control === undefined ? {} : { control }),
  };
}

function ownStatus(state: JsonObject): string | undefined {
  return loopStatuses.find((status) => status === state['status']);
}

function failure(code: string, message: string): NodeError {
  return { code, message, retryable: false };
}

/** The calls a message asks for; one without a name where it asks for none that can be read. */
function callsOf(message: JsonValue): readonly JsonObject[] {
  if (!isMapping(message)) return [{ name: null, arguments: null }];
  const { tool_calls: toolCalls, function_call: functionCall } = message;
  if (Array.isArray(toolCalls) && toolCalls.length > 0) {
    return (toolCalls as readonly JsonValue[]).map((call) => {
      const parts = isMapping(call) ? call : {};
      return { ...(parts['id'] === undefined ? {} : { id: parts['id'] }), ...nameAndArguments(parts['function']) };
    });
  }
  return [nameAndArguments(functionCall)];
}

function nameAndArguments(call: JsonValue | undefined): JsonObject {
  if (!isMapping(call)) return { name: null, arguments: null };
  return { name: call['name'] ?? null, arguments: jsonOrText(call['arguments'] ?? null) };
}
