import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import type { AgentFormat } from './agent-options.ts';
import type { Shown } from './scratchpad.ts';

/** One call an agent made, or one answer of its model that could not be read (`_Exception`). */
export interface AgentStep {
  readonly id?: string;
  readonly name: string;
  /** The parsed object; the text as written where it is none. */
  readonly arguments: JsonValue;
  /** What came back, in a list of one. */
  readonly content: readonly [JsonValue];
  /** Code and message of what went wrong, also where the model was told something else. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Of AWS or another service, to find the call in its logs. */
  readonly request_id?: string;
}

/** What travels along an agent's pairs while it goes on. */
export interface OpenState {
  readonly query: JsonValue;
  readonly steps: readonly AgentStep[];
  readonly shown: Shown;
}

/**
 * The state as the nodes hand it on: `{finished, query, function_results, scratchpad}`, with `scratchpad` what the next
 * plan is shown (messages, or for `react` one text, beside its parts).
 */
export type AgentState = JsonObject;

export function writtenState({ query, steps, shown }: OpenState, format: AgentFormat): AgentState {
  const scratchpad =
    format === 'react' ? { scratchpad: shown.join(''), scratchpad_steps: shown } : { scratchpad: shown };
  return { finished: false, query, function_results: steps as unknown as JsonValue, ...scratchpad };
}

/** How a turn ended the agent. */
export interface Ending {
  readonly status: 'answered' | 'asked_user' | 'gave_up' | 'refused' | 'returned_control';
  readonly content: JsonValue;
  /** What the caller is to do, and how to go on from there. */
  readonly control?: JsonValue;
}

export function endedState({ status, content, control }: Ending, steps: readonly AgentStep[]): AgentState {
  return {
    finished: true,
    status,
    content,
    function_results: steps as unknown as JsonValue,
    ...(control === undefined ? {} : { control }),
  };
}

/** undefined where the value is no state an agent can go on from. */
export function readState(value: JsonValue): OpenState | undefined {
  if (!isMapping(value) || !Array.isArray(value['function_results'])) return undefined;
  const { query = null, function_results: steps, scratchpad, scratchpad_steps: texts } = value;
  const shown = texts ?? scratchpad;
  if (Array.isArray(shown) && !shown.every(isOfSteps)) return undefined;
  return {
    query,
    steps: steps as unknown as readonly AgentStep[],
    shown: Array.isArray(shown) ? (shown as Shown) : [],
  };
}

/** What a caller sends back opens no message of another role than the steps of an agent have. */
function isOfSteps(shown: JsonValue): boolean {
  return !isMapping(shown) || ['assistant', 'tool', 'function'].includes(String(shown['role']));
}
