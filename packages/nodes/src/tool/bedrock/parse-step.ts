import type { JsonObject, JsonValue } from '@unroll/engine';
import type { BedrockAgent } from './agent-definition.ts';
import { type ActionCall, buildLambdaEvent } from './lambda-event.ts';
import { parseOrchestrationStep } from './override-parser.ts';
import type { AnswerPart, RepromptReason } from './parse-orchestration.ts';
import { callText } from './scratchpad.ts';
import { type OrchestrationState, readCompletion } from './turn-state.ts';

/** A completion of ORCHESTRATION as it was understood, and held against what the agent has. */
export type ParsedStep = { readonly rationale: string } & (
  | {
      readonly type: 'ACTION_GROUP';
      readonly call: ActionCall;
      /** The call as the scratchpad shows it. */
      readonly written: string;
      readonly execution: 'LAMBDA' | 'RETURN_CONTROL';
      /** What the function gets, message version 1.0. */
      readonly event: JsonObject;
    }
  | {
      readonly type: 'KNOWLEDGE_BASE';
      readonly id: string;
      readonly query: string;
      readonly written: string;
    }
  | { readonly type: 'ASK_USER'; readonly text: string }
  | { readonly type: 'FINISH'; readonly text: string; readonly citations: readonly AnswerPart[] }
  | {
      readonly type: 'REPROMPT';
      readonly reason: string;
      readonly message: string;
      /** The completion, which the scratchpad repeats. */
      readonly completion: string;
    }
);

interface ParseInputs {
  readonly state: OrchestrationState;
  readonly completion: JsonValue;
}

/** The node between model and action: reads the completion; what cannot be carried out goes back to the model. */
export function parseStep(agent: BedrockAgent): (inputs: ParseInputs) => ParsedStep {
  return ({ state, completion: output }) => {
    const completion = readCompletion(output);
    const parsed = parseOrchestrationStep(agent, completion);
    const { rationale } = parsed;
    const refuse = (reason: string, message: string): ParsedStep => {
      return { rationale, type: 'REPROMPT', reason, message, completion: closed(completion.text) };
    };
    switch (parsed.type) {
      case 'REPROMPT':
        return refuse(parsed.reason, parsed.message ?? repromptTexts[parsed.reason]);
      case 'ASK_USER':
        if (!agent.userInput) return refuse('UNKNOWN_FUNCTION', 'there is no function user::askuser');
        return { rationale, type: 'ASK_USER', text: parsed.text };
      case 'FINISH':
        if (parsed.text.trim() === '') return refuse('EMPTY_ANSWER', 'The answer is empty.');
        return { rationale, type: 'FINISH', text: parsed.text, citations: parsed.citations ?? [] };
      case 'KNOWLEDGE_BASE':
        return searchOf(agent, rationale, parsed.knowledgeBaseId, parsed.searchQuery, refuse);
      case 'ACTION_GROUP':
        return callOf(agent, rationale, parsed, state, refuse);
    }
  };
}

type Refuse = (reason: string, message: string) => ParsedStep;

function searchOf(agent: BedrockAgent, rationale: string, written: string, query: string, refuse: Refuse): ParsedStep {
  const found = agent.knowledgeBases.find(({ id }) => id.toLowerCase() === written.toLowerCase());
  if (found === undefined) {
    const known = agent.knowledgeBases.map(({ id }) => id).join(', ');
    return refuse(
      'UNKNOWN_KNOWLEDGE_BASE',
      `there is no knowledge base ${written}; there is ${known === '' ? 'none' : known}`,
    );
  }
  const name = `GET::x_amz_knowledgebase_${found.id}::Search`;
  return { rationale, type: 'KNOWLEDGE_BASE', id: found.id, query, written: callText(name, { searchQuery: query }) };
}

function callOf(
  agent: BedrockAgent,
  rationale: string,
  call: ActionCall,
  { question, session }: OrchestrationState,
  refuse: Refuse,
): ParsedStep {
  const built = buildLambdaEvent(call, agent.operations, {
    agent: { name: agent.name, id: agent.id, alias: agent.alias, version: agent.version },
    inputText: question,
    sessionId: session.id,
    sessionAttributes: session.attributes,
    promptSessionAttributes: session.prompt_attributes,
  });
  if (!built.ok) return refuse(built.reprompt, built.message);
  const { verb, group, operation } = built.operation;
  return {
    rationale,
    type: 'ACTION_GROUP',
    call: { verb, group, operation, args: call.args },
    written: callText(`${verb}::${group}::${operation}`, call.args),
    execution: agent.returnControl.has(group) ? 'RETURN_CONTROL' : 'LAMBDA',
    event: built.event,
  };
}

const form = 'VERB::group::operation(name="value")';

const repromptTexts: Readonly<Record<RepromptReason, string>> = {
  UNTERMINATED_VALUE: 'A value is not closed: every value stands in quotes.',
  NO_ACTION: `Write either one <function_call>${form}</function_call> or the <answer>.`,
  BAD_FUNCTION_NAME: `The name of a function has three parts: ${form}.`,
  MISSING_CLOSE_PAREN: `The call does not end with its closing parenthesis: ${form}.`,
  MISSING_ASKUSER: 'The question to the user is empty.',
  MISSING_SEARCH_QUERY: 'A search of a knowledge base needs searchQuery="…".',
  MALFORMED_ARGUMENT: `Every argument is written name="value": ${form}.`,
  DUPLICATE_ARGUMENT: 'An argument is given twice.',
};

/** The completion was cut at its stop sequence. */
function closed(completion: string): string {
  const opened = completion.lastIndexOf('<function_call>');
  return opened >= 0 && !completion.includes('</function_call>', opened) ? `${completion}</function_call>` : completion;
}
