import type { JsonValue } from '@unroll/engine';
import type { ActionDocument } from './document-action.ts';
import {
  type ActionRecord,
  type EpisodeMessage,
  type EpisodeState,
  finishToken,
  retryTemperatures,
} from './episode-state.ts';
import { type ActionResult, type ApiAnswer, runAction } from './run-action.ts';

/** What one step was made of. */
export interface EpisodeStep {
  readonly thought: string;
  readonly document: ActionDocument;
  /** As the model wrote them; null where the action does not exist and none were asked for. */
  readonly arguments: string | null;
  /** What the API answered; not read for Finish. */
  readonly answer: ApiAnswer;
}

/** Nodes of the chain that a step adds: thought, action, arguments. */
const nodesPerStep = 3;

/**
 * The state after a step. A step that gives up or is sorry is tried again where that is switched on, at the next
 * temperature and as if it had not been; the last attempt counts.
 */
export async function nextState(state: EpisodeState, step: EpisodeStep): Promise<EpisodeState> {
  const given = step.arguments ?? '{}';
  const fault = state.retry ? retriedFault(step.document.action, given) : undefined;
  const counts =
    fault === undefined ? state.retry_counts : { ...state.retry_counts, [fault]: state.retry_counts[fault] + 1 };
  if (fault !== undefined && state.attempt + 1 < retryTemperatures.length) {
    const attempt = state.attempt + 1;
    return { ...state, attempt, temperature: retryTemperatures[attempt] ?? 1, retry_counts: counts };
  }
  const result = await takeAction(step, given);
  const accepted = withStep({ ...state, retry_counts: counts }, step, given, result);
  return ended(accepted, result);
}

function retriedFault(action: string, given: string): 'give_up' | 'sorry' | undefined {
  if (action !== finishToken) return undefined;
  if (given.includes('give_up_and_restart')) return 'give_up';
  return given.includes("I'm sorry") || given.includes('apologize') ? 'sorry' : undefined;
}

function takeAction({ document, answer }: EpisodeStep, given: string): Promise<ActionResult> {
  const apis = new Map(document.place === null ? [] : [[document.name, document.place] as const]);
  return runAction(document.name, given, apis, async () => answer);
}

function withStep(state: EpisodeState, step: EpisodeStep, given: string, result: ActionResult): EpisodeState {
  const { document } = step;
  const said: readonly EpisodeMessage[] = [
    { role: 'assistant', content: fullThought(step.thought, state.thought_prefix) },
    { role: 'user', content: actionRequest },
    { role: 'assistant', content: document.action },
    { role: 'user', content: document.reply },
    ...(document.known ? [{ role: 'assistant', content: given } as const] : []),
    { role: 'user', content: result.observation },
  ];
  const record: ActionRecord = {
    name: document.name,
    action: document.action,
    arguments: given,
    content: [result.observation],
    code: result.code,
  };
  return {
    ...state,
    messages: [...state.messages, ...said],
    function_results: [...state.function_results, record],
    nodes: state.nodes + nodesPerStep,
    attempt: 0,
    temperature: retryTemperatures[0],
    hallucinated_actions: state.hallucinated_actions + (document.known ? 0 : 1),
  };
}

/** What the user says after a thought. */
export const actionRequest = 'Generate the action.';

/** The thought with the beginning that it had to have. */
export function fullThought(thought: string, prefix: string): string {
  return prefix === '' || thought.startsWith(prefix) ? thought : `${prefix} ${thought}`;
}

function ended(state: EpisodeState, { code, finalAnswer }: ActionResult): EpisodeState {
  if (code === 3) return finished(state, 'answered', finalAnswer ?? null);
  if (code === 4) return finished(state, 'gave_up', null);
  return state.nodes >= state.max_nodes ? finished(state, 'unfinished', null) : state;
}

function finished(state: EpisodeState, status: NonNullable<EpisodeState['status']>, content: JsonValue): EpisodeState {
  return { ...state, finished: true, status, content };
}
