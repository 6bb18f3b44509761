import { stringifyJson } from '@unroll/engine';
import type { BedrockAgent } from './agent-definition.ts';
import { functionSection, type PromptFunction, promptFunctions } from './function-section.ts';
import { fillPrompt, type StepPrompt, withoutTags } from './prompt-template.ts';
import type { PromptType } from './prompt-type.ts';
import { scratchpadText } from './scratchpad.ts';
import type { KnowledgeHit, ScratchpadStep, TurnSession } from './turn-state.ts';

/** What a step's prompt is filled with, beside what the agent itself tells. */
export interface StepValues {
  readonly question: string;
  readonly session: TurnSession;
  readonly steps?: readonly ScratchpadStep[];
  readonly hits?: readonly KnowledgeHit[];
  readonly query?: string;
  readonly response?: string;
}

/** The prompt of a step of the chain, ready to be sent. What users said and what was found opens no tag and no placeholder. */
export function stepPrompt(agent: BedrockAgent, type: PromptType, values: StepValues): StepPrompt {
  const { template, creationMode } = agent.prompts[type];
  const filled = fillPrompt(template, { ...ofAgent(agent, type), ...ofTurn(values), ...ofAsking(agent) });
  const parserMode = agent.parsers[type] === undefined ? 'DEFAULT' : 'OVERRIDDEN';
  return { type, creation_mode: creationMode, parser_mode: parserMode, ...filled };
}

function ofAgent(agent: BedrockAgent, type: PromptType): Readonly<Record<string, string>> {
  const functions = functionSection([
    ...promptFunctions(agent.operations, agent.userInput),
    ...agent.knowledgeBases.map(searchFunction),
  ]);
  const isOrchestration = type === 'ORCHESTRATION';
  return {
    functions,
    tools: functions,
    instruction: isOrchestration ? agent.instruction.trim() : '',
    any_function_name: agent.operations.map((one) => `${one.verb}::${one.group}::${one.operation}`)[0] ?? '',
    knowledge_base_guideline:
      agent.knowledgeBases.length === 0 ? '' : 'Search a knowledge base for facts before you answer from memory.',
  };
}

function searchFunction({ id, description }: { readonly id: string; readonly description: string }): PromptFunction {
  return {
    name: `GET::x_amz_knowledgebase_${id}::Search`,
    description,
    arguments: [['required', 'searchQuery', 'string', 'What to search for']],
    returns: 'object: What was found',
    raises: [],
  };
}

function ofTurn({ question, session, ...rest }: StepValues): Readonly<Record<string, string>> {
  const { steps = [], hits = [], query = question, response = '' } = rest;
  const said = session.history.map(({ role, text }) => `${role === 'user' ? 'User' : 'Agent'}: ${withoutTags(text)}`);
  const attributes = Object.entries(session.prompt_attributes);
  return {
    question: withoutTags(question),
    query: withoutTags(query),
    conversation_history: said.join('\n'),
    agent_scratchpad: scratchpadText(steps),
    prompt_session_attributes:
      attributes.length === 0
        ? ''
        : `What is known of this turn: ${withoutTags(stringifyJson(session.prompt_attributes))}`,
    search_results: hits
      .map(({ text }, at) => `<search_result number="${at + 1}">\n${withoutTags(text)}\n</search_result>`)
      .join('\n'),
    latest_response: withoutTags(response),
    responses: withoutTags(response),
  };
}

const askFunction = 'user::askuser';

function ofAsking({ userInput }: BedrockAgent): Readonly<Record<string, string>> {
  const when = (text: string): string => (userInput ? text : '');
  return {
    ask_user_missing_information: when(`Ask the user with ${askFunction} for what is missing.`),
    ask_user_missing_parameters: when(
      `Where a required argument is missing, ask: <function_call>${askFunction}(askuser="your question")</function_call>.`,
    ),
    ask_user_confirm_parameters: when('Let the user confirm values that you are not sure of.'),
    ask_user_function: when(askFunction),
    ask_user_function_format: when(`${askFunction}(askuser="your question")`),
    ask_user_input_examples: when(`<function_call>${askFunction}(askuser="Which city do you mean?")</function_call>`),
  };
}
