import type { JsonObject, JsonValue } from '@unroll/engine';
import { finishIds } from './tool-index.ts';

/** The token that ends an episode. */
export const finishToken: string = finishIds.atomic;

/** Temperatures of the attempts at one step. */
export const retryTemperatures = [0, 0.6, 1, 1, 1] as const;

export interface EpisodeMessage {
  readonly role: 'assistant' | 'user';
  readonly content: string;
}

/** One action that was taken. */
export interface ActionRecord {
  /** Name of the function, the token where there is none. */
  readonly name: string;
  /** The token as the model wrote it. */
  readonly action: string;
  readonly arguments: string;
  readonly content: readonly [string];
  /** ToolBench's: 0 done, 1 no such function, 3 answer, 4 given up. */
  readonly code: number;
}

/**
 * What travels along an episode of ToolGen's agent: thought, action token, arguments, again and again. Three nodes a step
 * are counted; once there are `max_nodes` and no Finish, the episode is unfinished.
 */
export interface EpisodeState {
  readonly finished: boolean;
  readonly status?: 'answered' | 'gave_up' | 'unfinished';
  /** The answer, once finished. */
  readonly content?: JsonValue;
  readonly query: string;
  /** The conversation after the query, as the model is shown it. */
  readonly messages: readonly EpisodeMessage[];
  readonly function_results: readonly ActionRecord[];
  /** How the thought must begin, where tools are given; else empty. */
  readonly thought_prefix: string;
  /** Tokens of the tools that were found or given, and Finish. */
  readonly tokens: readonly string[];
  /** `response_format` of the action; null where the model may say anything. */
  readonly action_format: JsonObject | null;
  readonly nodes: number;
  readonly max_nodes: number;
  /** Whether a step that gives up or is sorry is tried again. */
  readonly retry: boolean;
  /** Which attempt at this step, from 0. */
  readonly attempt: number;
  readonly temperature: number;
  readonly retry_counts: { readonly give_up: number; readonly sorry: number };
  readonly hallucinated_actions: number;
}

export interface EpisodeOptions {
  readonly query: string;
  /** Tokens of the tools that were found. */
  readonly found: readonly string[];
  /** What tools do, by their tokens: a model that has not learned the tokens is told with them. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Tokens of tools that are known to be right: the thought begins with them, and no others are offered. */
  readonly given?: readonly string[];
  /** Whether only the offered tokens may be said; true. */
  readonly constrained?: boolean;
  readonly retry?: boolean;
  readonly maxNodes?: number;
}

/** Nodes of one chain: six steps and no more. */
const defaultMaxNodes = 16;

export function startEpisode(options: EpisodeOptions): EpisodeState {
  const { query, found, given = [], constrained = true, retry = false, maxNodes = defaultMaxNodes } = options;
  const { descriptions = {} } = options;
  const tokens = [...new Set([...(given.length > 0 ? given : found), finishToken])];
  return {
    finished: false,
    query,
    messages: [],
    function_results: [],
    thought_prefix: given.length > 0 ? prefixOf(tokens) : '',
    tokens,
    action_format: constrained ? choiceFormat(tokens, descriptions) : null,
    nodes: 0,
    max_nodes: maxNodes,
    retry,
    attempt: 0,
    temperature: retryTemperatures[0],
    retry_counts: { give_up: 0, sorry: 0 },
    hallucinated_actions: 0,
  };
}

function prefixOf(tokens: readonly string[]): string {
  return `I am using one of the following tools: [${tokens.map((token) => `'${token}'`).join(', ')}].`;
}

/** Structured outputs that leave no other word than one of the tokens; what each does stands in a line `token: text`. */
function choiceFormat(tokens: readonly string[], descriptions: Readonly<Record<string, string>>): JsonObject {
  const lines = tokens.flatMap((token) => {
    const [line = ''] = (descriptions[token] ?? '').trim().split('\n');
    return line === '' ? [] : [`${token}: ${line}`];
  });
  const action: JsonObject = { type: 'string', enum: tokens };
  const schema = {
    type: 'object',
    properties: { action: lines.length === 0 ? action : { ...action, description: lines.join('\n') } },
    required: ['action'],
    additionalProperties: false,
  };
  return { type: 'json_schema', json_schema: { name: 'action', strict: true, schema } };
}
