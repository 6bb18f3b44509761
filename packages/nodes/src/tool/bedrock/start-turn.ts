import { createHash } from 'node:crypto';
import { type JsonObject, type JsonValue, mappingOf } from '@unroll/engine';
import type { BedrockAgent } from './agent-definition.ts';
import { parsePreProcessing } from './override-parser.ts';
import type { StepPrompt } from './prompt-template.ts';
import { stepPrompt } from './step-prompt.ts';
import { type OrchestrationState, readCompletion, type ScratchpadStep, type TurnSession } from './turn-state.ts';

/** A turn before its first model call. */
export interface StartedTurn {
  readonly agent: { readonly id: string; readonly alias: string; readonly version: string };
  readonly question: string;
  readonly session: TurnSession;
  readonly steps: readonly ScratchpadStep[];
  readonly pre: { readonly enabled: boolean; readonly prompt: StepPrompt | null };
}

interface StartInputs {
  readonly question: string;
  readonly session?: JsonObject | null;
  readonly chat_history?: readonly { readonly outputs?: JsonObject }[] | null;
}

/**
 * The first node of the chain: takes `question`, and `session` (of the last turn's output, with
 * `return_control_results: {invocation_id, results: [{text}]}` where control had been returned) or `chat_history`.
 */
export function startTurn(agent: BedrockAgent): (inputs: StartInputs) => StartedTurn {
  return ({ question: asked, session: given, chat_history: history }) => {
    const written =
      given !== undefined && given !== null && Object.keys(given).length > 0 ? given : lastSession(history);
    const session = readSession(written);
    const answered = answeredCall(session, written['return_control_results']);
    const question = answered === undefined ? asked : answered.question;
    const { pending: _, ...rest } = session;
    const enabled = agent.prompts.PRE_PROCESSING.state === 'ENABLED' && answered === undefined;
    const prompt = enabled ? stepPrompt(agent, 'PRE_PROCESSING', { question, session }) : null;
    const { id, alias, version } = agent;
    return {
      agent: { id, alias, version },
      question,
      session: rest,
      steps: answered?.steps ?? [],
      pre: { enabled, prompt },
    };
  };
}

function lastSession(history: StartInputs['chat_history']): JsonObject {
  return (history?.at(-1)?.outputs?.['session'] ?? {}) as JsonObject;
}

function readSession(given: JsonObject): TurnSession {
  const own = given as Partial<TurnSession>;
  return {
    id: own.id ?? 'session',
    attributes: own.attributes ?? {},
    prompt_attributes: own.prompt_attributes ?? {},
    history: own.history ?? [],
    asked: own.asked ?? false,
    ...(own.retrieval === undefined ? {} : { retrieval: own.retrieval }),
    ...(own.pending === undefined ? {} : { pending: own.pending }),
  };
}

/** The scratchpad with the result that the caller brings; its own question goes on, what it says now is ignored. */
function answeredCall(
  { pending }: TurnSession,
  given: JsonValue | undefined,
): { readonly question: string; readonly steps: readonly ScratchpadStep[] } | undefined {
  if (given === undefined || given === null) return undefined;
  const { invocation_id: id, results } = given as JsonObject;
  if (pending === undefined) throw refusal('return_control_results are given, but no call was handed out');
  if (id !== pending.invocation_id)
    throw refusal(`return_control_results are of ${JSON.stringify(id)}; the call was ${pending.invocation_id}`);
  if (!isResults(results)) throw refusal('return_control_results have no results: a list of {text}, at least one');
  const texts = results.map(({ text }) => text);
  const { rationale, call, question } = pending;
  const step: ScratchpadStep = { kind: 'call', rationale, call, result: texts.join('\n'), tag: 'function_result' };
  return { question, steps: [...pending.steps, step] };
}

function isResults(given: JsonValue | undefined): given is readonly { readonly text: string }[] {
  return Array.isArray(given) && given.length > 0 && given.every((one) => typeof mappingOf(one)['text'] === 'string');
}

/** Named as the service names a request that does not hold. */
function refusal(message: string): Error {
  return Object.assign(new Error(message), { name: 'ValidationException' });
}

interface BeginInputs {
  readonly turn: StartedTurn;
  /** Output of the PRE_PROCESSING model call; null where it did not take place. */
  readonly completion: JsonValue;
}

/** First state of the orchestration: refused where PRE_PROCESSING said so, else with the first prompt. */
export function beginOrchestration(
  agent: BedrockAgent,
): (inputs: BeginInputs) => OrchestrationState & { readonly pre_processing?: JsonObject } {
  return ({ turn: { question, session, steps, pre }, completion }) => {
    const base = { question, session, steps };
    if (!pre.enabled) return { finished: false, ...base, prompt: stepPrompt(agent, 'ORCHESTRATION', base) };
    const { text } = readCompletion(completion);
    const parsed = parsePreProcessing(agent, text, session.asked);
    const checked = { pre_processing: parsed as unknown as JsonObject };
    if (parsed.isValid)
      return { finished: false, ...base, ...checked, prompt: stepPrompt(agent, 'ORCHESTRATION', base) };
    return { finished: true, ...base, ...checked, status: 'refused', content: { text: null, session } };
  };
}

/** An id in the form of a UUID that is the same each time for the same parts. */
export function stableId(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return groups.join('-');
}
