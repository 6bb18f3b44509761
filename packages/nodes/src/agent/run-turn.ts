import { type JsonValue, type NodeError, stringifyJson, type Tool, type ToolCall, textHash } from '@unroll/engine';
import type { AgentOptions } from './agent-options.ts';
import { type AgentState, type AgentStep, endedState, type OpenState, writtenState } from './agent-state.ts';
import { type EndingCall, endingText, filled, type MadeCall, makeCalls, unreadableAnswer } from './make-calls.ts';
import type { ModelTurn } from './model-turn.ts';
import { reactStep } from './react-text.ts';
import { readTurn } from './read-turn.ts';
import { lastSteps, withTurn } from './scratchpad.ts';

export type TurnOutcome =
  | { readonly ok: true; readonly state: AgentState; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly error: NodeError; readonly warnings: readonly string[] };

/** One step of an agent: from a state and what the model said to the next state, the calls made on the way. */
export async function runTurn(
  state: OpenState,
  message: JsonValue,
  tools: readonly Tool[],
  options: AgentOptions,
  call: ToolCall,
): Promise<TurnOutcome> {
  const turn = readTurn(message, options.format, state.steps.length + 1);
  if (turn.kind === 'answer') return { ok: true, state: endedState(turn, state.steps), warnings: [] };
  if (turn.kind === 'unreadable') return afterUnreadable(state, turn, options);
  const { made, endings } = await makeCalls(turn.calls, tools, options, call);
  const warnings = made.flatMap(warningOf);
  const failed = made.find(({ failure }) => failure !== undefined);
  if (failed?.failure !== undefined)
    return { ok: false, error: failed.failure, warnings: [...warnings, ...alsoMade(made)] };
  const steps = [...state.steps, ...made.map(({ step }) => step)];
  const [only] = made;
  if (made.length === 1 && endings.length === 0 && only?.isDirect === true) {
    const [content] = only.step.content;
    return { ok: true, state: endedState({ status: 'answered', content }, steps), warnings };
  }
  const answered = made.map((one) => one.answeredCall);
  const shown = lastSteps(withTurn(state.shown, turn.said, answered, options.format), options.trim);
  const next = { query: state.query, steps, shown };
  return {
    ok: true,
    state: endings.length === 0 ? writtenState(next, options.format) : ended(endings, next, options),
    warnings,
  };
}

function afterUnreadable(
  state: OpenState,
  { log }: Extract<ModelTurn, { kind: 'unreadable' }>,
  { handleParsingErrors: handle, trim, format }: AgentOptions,
): TurnOutcome {
  const error = { code: 'UNREADABLE_ANSWER', message: log };
  if (handle === false) return { ok: false, error: { ...error, retryable: false }, warnings: [] };
  const text = typeof handle === 'string' ? filled(handle, { problem: log }) : unreadableAnswer;
  const step: AgentStep = { name: '_Exception', arguments: text, content: [text], error };
  const shown = lastSteps([...state.shown, reactStep(log, text)], trim);
  const next = { query: state.query, steps: [...state.steps, step], shown };
  return { ok: true, state: writtenState(next, format), warnings: [log] };
}

/** The first call that ends the agent decides how; all calls that return control are handed to the caller together. */
function ended(endings: readonly EndingCall[], next: OpenState, { format }: AgentOptions): AgentState {
  const [first] = endings;
  if (first === undefined) throw new Error('bug: nothing ends the agent');
  if (first.ends !== 'returned_control') {
    return endedState({ status: first.ends, content: endingText(first.call) }, next.steps);
  }
  const calls = endings
    .filter(({ ends }) => ends === 'returned_control')
    .map(({ call: { id, name, arguments: given } }) => ({
      ...(id === undefined ? {} : { id }),
      name,
      arguments: given,
    }));
  const state = writtenState(next, format);
  // The same calls after the same steps get the same id, so that a run can be repeated.
  const control = { invocation_id: textHash(stringifyJson({ calls, state })).slice(0, 16), calls, state };
  return endedState({ status: 'returned_control', content: null, control }, next.steps);
}

function warningOf({ step: { name, error }, failure }: MadeCall): readonly string[] {
  if (error === undefined || failure !== undefined) return [];
  return [`told to the model: ${name} failed: ${error.code}: ${error.message}`];
}

/** The row fails for one call; the others of its turn were made all the same, and may have changed something. */
function alsoMade(made: readonly MadeCall[]): readonly string[] {
  return made.flatMap(({ step, answeredCall, failure }) =>
    failure === undefined && step.error === undefined
      ? [`made in the same turn: ${step.name} ${stringifyJson(step.arguments)} gave ${answeredCall.text.slice(0, 200)}`]
      : [],
  );
}
