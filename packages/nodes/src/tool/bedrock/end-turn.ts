import type { JsonObject, JsonValue } from '@unroll/engine';
import type { BedrockAgent } from './agent-definition.ts';
import { parseKnowledgeAnswer, parsePostProcessing } from './override-parser.ts';
import type { StepPrompt } from './prompt-template.ts';
import type { StartedTurn } from './start-turn.ts';
import { stepPrompt } from './step-prompt.ts';
import { type Citation, readCompletion, type TurnContent, type TurnSession, type TurnStatus } from './turn-state.ts';

/** A turn whose orchestration has ended; `search` is there where the knowledge base step has to make the answer. */
export interface SearchedTurn {
  readonly question: string;
  readonly session: TurnSession;
  readonly status: TurnStatus;
  readonly text: string | null;
  readonly citations: readonly Citation[];
  readonly search: {
    readonly enabled: boolean;
    readonly prompt: StepPrompt | null;
    readonly sources: readonly string[];
  };
  readonly return_control?: JsonObject;
}

interface SearchInputs {
  readonly turn: StartedTurn;
  /** Result of the loop. */
  readonly outcome: { readonly status: TurnStatus; readonly answer: TurnContent | null };
}

/** Takes the loop's result apart and, where it ended with search results, makes the prompt of their step. */
export function afterOrchestration(agent: BedrockAgent): (inputs: SearchInputs) => SearchedTurn {
  return ({ turn: { question, session: before }, outcome: { status, answer } }) => {
    const { text = null, citations = [], knowledge_base: found, return_control: control } = answer ?? {};
    const session = answer?.session ?? before;
    const shared = {
      question,
      session,
      status,
      text,
      citations,
      ...(control === undefined ? {} : { return_control: control }),
    };
    if (found === undefined) return { ...shared, search: { enabled: false, prompt: null, sources: [] } };
    const values = { question, session, query: question, hits: found.hits };
    const prompt = stepPrompt(agent, 'KNOWLEDGE_BASE_RESPONSE_GENERATION', values);
    return { ...shared, search: { enabled: true, prompt, sources: found.hits.map(({ id }) => id) } };
  };
}

/** A turn with its answer, before POST_PROCESSING. */
export interface AnsweredTurn extends Omit<SearchedTurn, 'search'> {
  readonly from_search: boolean;
  readonly post: { readonly enabled: boolean; readonly prompt: StepPrompt | null };
}

interface AnswerInputs {
  readonly turn: SearchedTurn;
  /** Output of the knowledge base step; null where it did not take place. */
  readonly completion: JsonValue;
}

export function beforePostProcessing(agent: BedrockAgent): (inputs: AnswerInputs) => AnsweredTurn {
  return ({ turn: { search, ...turn }, completion }) => {
    const answer = search.enabled
      ? withSources(parseKnowledgeAnswer(agent, readCompletion(completion).text), search.sources)
      : { text: turn.text, citations: turn.citations };
    const { text } = answer;
    const enabled = agent.prompts.POST_PROCESSING.state === 'ENABLED' && turn.status === 'answered';
    const { question, session } = turn;
    const prompt = enabled ? stepPrompt(agent, 'POST_PROCESSING', { question, session, response: text ?? '' }) : null;
    return { ...turn, ...answer, from_search: search.enabled, post: { enabled, prompt } };
  };
}

/** Numbers of search results become the ids of the documents. */
function withSources(
  { text, citations }: { readonly text: string; readonly citations: readonly Citation[] },
  sources: readonly string[],
): { readonly text: string; readonly citations: readonly Citation[] } {
  const idOf = (reference: string): string =>
    /^\d+$/.test(reference) ? (sources[Number(reference) - 1] ?? reference) : reference;
  return { text, citations: citations.map((one) => ({ ...one, references: one.references.map(idOf) })) };
}

/** What the flow gives: the answer, how the turn ended, and the session for the next turn. */
export interface FinishedTurn {
  readonly answer: string | null;
  readonly status: TurnStatus;
  readonly citations: readonly Citation[];
  readonly session: TurnSession;
  readonly return_control: JsonValue;
}

interface FinishInputs {
  readonly turn: AnsweredTurn;
  /** Output of POST_PROCESSING; null where it did not take place. */
  readonly completion: JsonValue;
}

export function finishTurn(agent: BedrockAgent): (inputs: FinishInputs) => FinishedTurn {
  return ({
    turn: { question, session, status, text, citations, post, return_control: control = null },
    completion,
  }) => {
    const written = post.enabled ? parsePostProcessing(agent, readCompletion(completion).text) : text;
    const isNothing = status === 'answered' && (written ?? '').trim() === '';
    const answer = isNothing ? null : written;
    const said = answer === null ? [] : [{ role: 'assistant' as const, text: answer }];
    const history = [...session.history, { role: 'user' as const, text: question }, ...said];
    const next = { ...session, prompt_attributes: {}, history, asked: status === 'asked_user' };
    return { answer, status: isNothing ? 'unfinished' : status, citations, session: next, return_control: control };
  };
}
