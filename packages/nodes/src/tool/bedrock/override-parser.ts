import type { JsonObject } from '@unroll/engine';
import type { BedrockAgent } from './agent-definition.ts';
import type { OutputParser } from './output-parser.ts';
import { type ParsedCategory, parseCategory } from './parse-category.ts';
import {
  type AnswerPart,
  type OrchestrationAction,
  type ParsedOrchestration,
  parseOrchestration,
} from './parse-orchestration.ts';
import type { PromptType } from './prompt-type.ts';

function callParser(agent: BedrockAgent, promptType: PromptType, text: string, parser: OutputParser): JsonObject {
  const { name, id, alias, version } = agent;
  const answer = parser({
    messageVersion: '1.0',
    agent: { name, id, alias, version },
    invokeModelRawResponse: text,
    promptType,
    overrideType: 'OUTPUT_PARSER',
  });
  if (answer['promptType'] !== promptType)
    throw new Error(`the parser of ${promptType} answered with promptType ${JSON.stringify(answer['promptType'])}`);
  return answer;
}

export function parsePreProcessing(
  agent: BedrockAgent,
  text: string,
  wasAsked: boolean,
): ParsedCategory | Pick<ParsedCategory, 'isValid' | 'rationale'> {
  const parser = agent.parsers.PRE_PROCESSING;
  if (parser === undefined) return parseCategory(text, wasAsked);
  const read = mapping(callParser(agent, 'PRE_PROCESSING', text, parser)['preProcessingParsedResponse']);
  return { isValid: read['isValidInput'] === true, rationale: optionalText(read['rationale']) };
}

/** @returns for a parsing error of the overriding parser its own text, which the model is sent */
export function parseOrchestrationStep(
  agent: BedrockAgent,
  { text, stop }: { readonly text: string; readonly stop?: string },
): ParsedOrchestration & { readonly message?: string } {
  const parser = agent.parsers.ORCHESTRATION;
  if (parser === undefined) return parseOrchestration(text, stop);
  const read = mapping(callParser(agent, 'ORCHESTRATION', text, parser)['orchestrationParsedResponse']);
  const rationale = optionalText(read['rationale']);
  const repromptText = optionalText(mapping(read['parsingErrorDetails'])['repromptResponse']);
  if (repromptText !== '') return { rationale, type: 'REPROMPT', reason: 'NO_ACTION', message: repromptText };
  return { rationale, ...actionOf(mapping(read['responseDetails'])) };
}

function actionOf(details: JsonObject): OrchestrationAction {
  const type = details['invocationType'];
  if (type === 'ACTION_GROUP') {
    const call = mapping(details['actionGroupInvocation']);
    const given = Object.entries(mapping(call['actionGroupInput']));
    return {
      type,
      verb: optionalText(call['verb']).toUpperCase() || 'GET',
      group: optionalText(call['actionGroupName']),
      operation: optionalText(call['apiName']) || optionalText(call['functionName']),
      args: Object.fromEntries(given.map(([name, one]) => [name, optionalText(mapping(one)['value'])])),
    };
  }
  if (type === 'KNOWLEDGE_BASE') {
    const search = mapping(details['agentKnowledgeBase']);
    const searchQuery = optionalText(mapping(search['searchQuery'])['value']);
    return { type, knowledgeBaseId: optionalText(search['knowledgeBaseId']), searchQuery };
  }
  if (type === 'ASK_USER') {
    return { type, text: optionalText(mapping(details['agentAskUser'])['responseText']) };
  }
  const final = mapping(details['agentFinalResponse']);
  const citations = citationsOf(final['citations']);
  const text = optionalText(final['responseText']);
  return { type: 'FINISH', text, ...(citations.length === 0 ? {} : { citations }) };
}

/** `{generatedResponseParts: [{text, references: [{sourceId}]}]}` of the contract. */
function citationsOf(written: unknown): readonly AnswerPart[] {
  const parts = (mapping(written)['generatedResponseParts'] ?? []) as readonly JsonObject[];
  return parts.map(({ text, references }) => ({
    text: optionalText(text),
    references: ((references ?? []) as readonly JsonObject[]).map(({ sourceId }) => optionalText(sourceId)),
  }));
}

/** The text of POST_PROCESSING: what stands inside `<final_response>`, else all of it. */
export function parsePostProcessing(agent: BedrockAgent, text: string): string {
  const parser = agent.parsers.POST_PROCESSING;
  if (parser !== undefined) {
    return optionalText(
      mapping(callParser(agent, 'POST_PROCESSING', text, parser)['postProcessingParsedResponse'])['responseText'],
    );
  }
  return (/<final_response>([\s\S]*?)(?:<\/final_response>|$)/.exec(text)?.[1] ?? text).trim();
}

/** The answer of KNOWLEDGE_BASE_RESPONSE_GENERATION: an `<answer>` with its parts, else all of the text. */
export function parseKnowledgeAnswer(
  agent: BedrockAgent,
  text: string,
): { readonly text: string; readonly citations: readonly AnswerPart[] } {
  const parser = agent.parsers.KNOWLEDGE_BASE_RESPONSE_GENERATION;
  if (parser !== undefined) {
    const promptType = 'KNOWLEDGE_BASE_RESPONSE_GENERATION';
    const read = mapping(callParser(agent, promptType, text, parser)['knowledgeBaseResponseGenerationParsedResponse']);
    const citations = citationsOf(read);
    return { text: citations.map((part) => part.text).join(' '), citations };
  }
  const answer = parseOrchestration(text.includes('<answer>') ? text : `<answer>${text}`, '</answer>');
  return answer.type === 'FINISH'
    ? { text: answer.text, citations: answer.citations ?? [] }
    : { text: text.trim(), citations: [] };
}

function mapping(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function optionalText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
