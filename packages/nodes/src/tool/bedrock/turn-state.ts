import type { JsonObject, JsonValue } from '@unroll/engine';
import type { StepPrompt } from './prompt-template.ts';

/** What a session keeps from turn to turn, as plain JSON. */
export interface TurnSession {
  readonly id: string;
  /** For the whole session. */
  readonly attributes: JsonObject;
  /** For one turn. */
  readonly prompt_attributes: JsonObject;
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** How knowledge bases are asked, by their ids, since a function answered with a configuration of them. */
  readonly retrieval?: Readonly<Record<string, Retrieval>>;
  /** Whether the agent's last turn asked the user something. */
  readonly asked: boolean;
  /** The call that was handed to the caller, whose result the next turn brings. */
  readonly pending?: PendingCall;
}

/** `vectorSearchConfiguration` of a knowledge base. */
export interface Retrieval {
  readonly numberOfResults?: number;
  readonly overrideSearchType?: 'HYBRID' | 'SEMANTIC';
  readonly filter?: JsonObject;
}

interface PendingCall {
  readonly invocation_id: string;
  readonly question: string;
  readonly steps: readonly ScratchpadStep[];
  readonly rationale: string;
  readonly call: string;
}

/** One entry of the scratchpad: a call with its result, or a completion that had to be asked for again. */
export type ScratchpadStep =
  | {
      readonly kind: 'call';
      readonly rationale: string;
      /** With the name in lower case, as the service shows it. */
      readonly call: string;
      readonly result: string;
      readonly tag: 'function_result' | 'error';
    }
  | { readonly kind: 'reprompt'; readonly completion: string; readonly message: string };

/** What came of an iteration, as the trace's observation tells it. */
export type Observation =
  | { readonly type: 'ACTION_GROUP'; readonly text: string }
  | { readonly type: 'KNOWLEDGE_BASE'; readonly hits: readonly KnowledgeHit[] }
  | { readonly type: 'FINISH'; readonly text: string }
  | { readonly type: 'ASK_USER'; readonly text: string }
  | { readonly type: 'REPROMPT'; readonly source: 'PARSER' | 'ACTION_GROUP' | 'KNOWLEDGE_BASE'; readonly text: string };

export interface KnowledgeHit {
  readonly id: string;
  readonly text: string;
  readonly score?: number;
}

export interface Citation {
  readonly text: string;
  readonly references: readonly string[];
}

export type TurnStatus = 'answered' | 'asked_user' | 'refused' | 'returned_control' | 'unfinished';

/** What the orchestration ended with. */
export interface TurnContent {
  readonly text: string | null;
  readonly session: TurnSession;
  readonly citations?: readonly Citation[];
  /** Results that the knowledge base step makes the answer of. */
  readonly knowledge_base?: { readonly query: string; readonly hits: readonly KnowledgeHit[] };
  readonly return_control?: JsonObject;
}

/** The state that travels along the iterations of the orchestration. */
export interface OrchestrationState {
  readonly finished: boolean;
  readonly question: string;
  readonly session: TurnSession;
  readonly steps: readonly ScratchpadStep[];
  /** What the model is sent next; absent once finished. */
  readonly prompt?: StepPrompt;
  readonly status?: TurnStatus;
  readonly content?: TurnContent;
  readonly observation?: Observation;
}

/** A completion with the stop sequence that ended it, where the model told: the output of an llm node with `returns: choice`. */
export function readCompletion(output: JsonValue): { readonly text: string; readonly stop?: string } {
  if (typeof output === 'string') return { text: output };
  const { content, stop, finish_reason: reason } = (output ?? {}) as JsonObject;
  const sequence = typeof stop === 'string' ? stop : reason === 'length' ? 'max_tokens' : undefined;
  return { text: typeof content === 'string' ? content : '', ...(sequence === undefined ? {} : { stop: sequence }) };
}
