import type { JsonObject, JsonValue, SearchHit } from '@unroll/engine';
import type { BedrockAgent } from './agent-definition.ts';
import { type AnsweredCall, readActionResponse } from './lambda-response.ts';
import type { ParsedStep } from './parse-step.ts';
import { stableId } from './start-turn.ts';
import { stepPrompt } from './step-prompt.ts';
import type {
  KnowledgeHit,
  Observation,
  OrchestrationState,
  Retrieval,
  ScratchpadStep,
  TurnContent,
  TurnSession,
} from './turn-state.ts';

/** Carries a call out: gets the event of an action group's Lambda function and gives that function's response. */
export type ActionExecutor = (event: JsonObject, call: ActionContext) => unknown;

export interface ActionContext {
  readonly signal: AbortSignal;
  /** The operation's id, which the event does not tell. */
  readonly operation: string;
}

/**
 * What stands behind a knowledge base. Where a function answered with a configuration of it, that is `retrieval`: more than
 * `numberOfResults` hits are cut off, the rest is the search's to heed.
 */
export type KnowledgeSearch = (
  query: string,
  retrieval: Retrieval,
) => readonly SearchHit[] | Promise<readonly SearchHit[]>;

/** What stands behind the agent's action groups and knowledge bases, by their names and ids. */
export interface AgentServices {
  readonly actions?: Readonly<Record<string, ActionExecutor>>;
  readonly knowledgeBases?: Readonly<Record<string, KnowledgeSearch>>;
}

interface ActInputs {
  readonly state: OrchestrationState;
  /** Output of the node before; null once the state is finished. */
  readonly action: ParsedStep | null;
}

type ActNode = (inputs: ActInputs, call: { readonly signal: AbortSignal }) => Promise<OrchestrationState>;

/**
 * The last node of an iteration: carries out what the model asked for and gives the next state. Fails, and with it the
 * turn, with `DependencyFailed` where a function fails and with `BadLambdaResponse` where it answers something else
 * than the contract says.
 */
export function actStep(agent: BedrockAgent, services: AgentServices): ActNode {
  return async ({ state, action }, { signal }) => {
    if (action === null || state.finished) return withoutObservation(state);
    switch (action.type) {
      case 'FINISH': {
        const { text, citations } = action;
        return finish(state, 'answered', { text, citations, session: state.session }, { type: 'FINISH', text });
      }
      case 'ASK_USER': {
        const { text } = action;
        return finish(state, 'asked_user', { text, session: state.session }, { type: 'ASK_USER', text });
      }
      case 'REPROMPT': {
        const step = { kind: 'reprompt' as const, completion: action.completion, message: action.message };
        return goOn(agent, state, step, { type: 'REPROMPT', source: 'PARSER', text: action.message });
      }
      case 'KNOWLEDGE_BASE':
        return await search(agent, state, action, services.knowledgeBases?.[action.id]);
      case 'ACTION_GROUP':
        if (action.execution === 'RETURN_CONTROL') return handOut(state, action);
        return await carryOut(agent, state, action, services.actions?.[action.call.group], signal);
    }
  };
}

type Step<Type extends ParsedStep['type']> = Extract<ParsedStep, { readonly type: Type }>;

function finish(
  { question, session, steps }: OrchestrationState,
  status: 'answered' | 'asked_user' | 'returned_control',
  content: TurnContent,
  observation?: Observation,
): OrchestrationState {
  return {
    finished: true,
    question,
    session,
    steps,
    status,
    content,
    ...(observation === undefined ? {} : { observation }),
  };
}

function goOn(
  agent: BedrockAgent,
  { question, session, steps: before }: OrchestrationState,
  step: ScratchpadStep,
  observation: Observation,
): OrchestrationState {
  const steps = [...before, step];
  const prompt = stepPrompt(agent, 'ORCHESTRATION', { question, session, steps });
  return { finished: false, question, session, steps, prompt, observation };
}

async function search(
  agent: BedrockAgent,
  state: OrchestrationState,
  { id, query, rationale, written }: Step<'KNOWLEDGE_BASE'>,
  base: KnowledgeSearch | undefined,
): Promise<OrchestrationState> {
  if (base === undefined) throw named('DependencyFailed', `nothing stands behind the knowledge base ${id}`);
  const retrieval = state.session.retrieval?.[id] ?? {};
  requireHeeded(base, id, retrieval);
  const found = (await base(query, retrieval)).slice(0, retrieval.numberOfResults);
  const hits: readonly KnowledgeHit[] = found.map((hit) => ({
    id: hit.id,
    text: hit.text,
    score: hit.score,
  }));
  const observation = { type: 'KNOWLEDGE_BASE', hits } as const;
  if (agent.prompts.KNOWLEDGE_BASE_RESPONSE_GENERATION.state === 'ENABLED') {
    const content = { text: null, session: state.session, knowledge_base: { query, hits } };
    return finish(state, 'answered', content, observation);
  }
  const result = hits.map(({ text }, at) => `[${at + 1}] ${text}`).join('\n\n');
  const step = { kind: 'call', rationale, call: written, result, tag: 'function_result' } as const;
  return goOn(agent, state, step, observation);
}

/** A filter that nobody heeds would show what it keeps back. */
function requireHeeded(base: KnowledgeSearch, id: string, retrieval: Retrieval): void {
  const unheeded = Object.keys(retrieval).filter((key) => key !== 'numberOfResults');
  if (base.length > 1 || unheeded.length === 0) return;
  const message = `a function set ${unheeded.join(', ')} of the knowledge base ${id}, and what stands behind it takes the query alone`;
  throw named('DependencyFailed', `${message}: write (query, retrieval) => …`);
}

function handOut(
  state: OrchestrationState,
  { call, event, rationale, written }: Step<'ACTION_GROUP'>,
): OrchestrationState {
  const { question, session, steps } = state;
  const id = stableId(session.id, question, String(steps.length), written);
  const pending = { invocation_id: id, question, steps, rationale, call: written };
  const { actionGroup, apiPath, httpMethod, function: name, parameters, requestBody } = event;
  const fields = { actionGroup, apiPath, httpMethod, function: name, parameters, requestBody };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
  const input = { [name === undefined ? 'apiInvocationInput' : 'functionInvocationInput']: given };
  const content = {
    text: null,
    session: { ...session, pending },
    return_control: { invocationId: id, invocationInputs: [input], operation: call.operation },
  };
  return finish(state, 'returned_control', content);
}

async function carryOut(
  agent: BedrockAgent,
  state: OrchestrationState,
  { call, event, rationale, written }: Step<'ACTION_GROUP'>,
  executor: ActionExecutor | undefined,
  signal: AbortSignal,
): Promise<OrchestrationState> {
  if (executor === undefined) throw named('DependencyFailed', `nothing stands behind the action group ${call.group}`);
  const outcome = readActionResponse(
    (await execute(executor, event, { signal, operation: call.operation })) as JsonValue,
    answered(event),
  );
  if (outcome.type === 'FAILURE')
    throw named(outcome.code === 'DEPENDENCY_FAILED' ? 'DependencyFailed' : 'BadLambdaResponse', outcome.message);
  if (outcome.type === 'ACTION_GROUP') requireKnown(agent, Object.keys(outcome.retrieval ?? {}));
  const tag = outcome.type === 'REPROMPT' ? 'error' : outcome.scratchpad;
  const step = { kind: 'call', rationale, call: written, result: outcome.text, tag } as const;
  if (outcome.type === 'REPROMPT') {
    return goOn(agent, state, step, { type: 'REPROMPT', source: 'ACTION_GROUP', text: outcome.text });
  }
  const session: TurnSession = {
    ...state.session,
    attributes: outcome.sessionAttributes ?? state.session.attributes,
    prompt_attributes: outcome.promptSessionAttributes ?? state.session.prompt_attributes,
    ...(outcome.retrieval === undefined ? {} : { retrieval: { ...state.session.retrieval, ...outcome.retrieval } }),
  };
  return goOn(agent, { ...state, session }, step, { type: 'ACTION_GROUP', text: outcome.text });
}

function requireKnown({ knowledgeBases }: BedrockAgent, ids: readonly string[]): void {
  const known = knowledgeBases.map(({ id }) => id);
  const other = ids.find((id) => !known.includes(id));
  if (other === undefined) return;
  const which = known.length === 0 ? 'the agent has none' : `the agent has ${known.join(', ')}`;
  throw named('BadLambdaResponse', `knowledgeBasesConfiguration names the knowledge base "${other}": ${which}`);
}

async function execute(executor: ActionExecutor, event: JsonObject, context: ActionContext): Promise<unknown> {
  try {
    return await executor(event, context);
  } catch (thrown) {
    if (thrown instanceof Error && /^(DependencyFailed|BadLambdaResponse)$/.test(thrown.name)) throw thrown;
    throw named('DependencyFailed', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function answered({ actionGroup, apiPath, httpMethod, function: name }: JsonObject): AnsweredCall {
  if (name !== undefined) return { actionGroup: String(actionGroup), function: String(name) };
  return { actionGroup: String(actionGroup), apiPath: String(apiPath), httpMethod: String(httpMethod) };
}

function withoutObservation({ observation: _, ...state }: OrchestrationState): OrchestrationState {
  return state;
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
