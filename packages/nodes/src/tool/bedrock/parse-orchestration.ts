import { type ArgumentsProblem, parseArguments } from './parse-arguments.ts';

/** Why a completion is sent back to the model. */
export type RepromptReason =
  | ArgumentsProblem
  | 'NO_ACTION'
  | 'BAD_FUNCTION_NAME'
  | 'MISSING_CLOSE_PAREN'
  | 'MISSING_ASKUSER'
  | 'MISSING_SEARCH_QUERY';

export interface AnswerPart {
  readonly text: string;
  readonly references: readonly string[];
}

export type OrchestrationAction =
  | {
      readonly type: 'ACTION_GROUP';
      /** Upper case. */
      readonly verb: string;
      readonly group: string;
      readonly operation: string;
      readonly args: Readonly<Record<string, string>>;
    }
  | { readonly type: 'KNOWLEDGE_BASE'; readonly knowledgeBaseId: string; readonly searchQuery: string }
  | { readonly type: 'ASK_USER'; readonly text: string }
  | { readonly type: 'FINISH'; readonly text: string; readonly citations?: readonly AnswerPart[] }
  | { readonly type: 'REPROMPT'; readonly reason: RepromptReason };

/** `rationale`: the text before the action, without the tags of the scratchpad. */
export type ParsedOrchestration = { readonly rationale: string } & OrchestrationAction;

const knowledgeBase = /^x_amz_knowledgebase_(.+)$/i;
const callTag = '<function_call>';
const answerTag = '<answer>';

/**
 * Reads a completion of ORCHESTRATION by the text protocol of Agents for Amazon Bedrock, already cut at the stop
 * sequence. The reported stop sequence decides between a call and an answer; without one the earlier tag wins; with
 * neither tag the model is asked again.
 *
 * @param stop the stop sequence that ended the completion, or another reason
 */
export function parseOrchestration(completion: string, stop?: string): ParsedOrchestration {
  const tag = tagOf(completion, stop);
  if (tag === undefined) return { rationale: rationaleOf(completion), type: 'REPROMPT', reason: 'NO_ACTION' };
  const rationale = rationaleOf(completion.slice(0, tag.at));
  const body = completion.slice(tag.at + tag.name.length);
  return { rationale, ...(tag.name === callTag ? parseCall(body) : parseAnswer(body)) };
}

function tagOf(
  completion: string,
  stop: string | undefined,
): { readonly name: string; readonly at: number } | undefined {
  const call = placeOf(completion, callTag);
  const answer = placeOf(completion, answerTag);
  if (stop === '</function_call>' && call >= 0) return { name: callTag, at: call };
  if (stop === '</answer>' && answer >= 0) return { name: answerTag, at: answer };
  if (call < 0 && answer < 0) return undefined;
  const isCall = call >= 0 && (answer < 0 || call < answer);
  return isCall ? { name: callTag, at: call } : { name: answerTag, at: answer };
}

/** A tag quoted in the scratchpad is none, where one stands behind it too. */
function placeOf(completion: string, tag: string): number {
  const behind = completion.indexOf(tag, Math.max(0, completion.lastIndexOf('</scratchpad>')));
  return behind >= 0 ? behind : completion.indexOf(tag);
}

function rationaleOf(text: string): string {
  return text.replace(/<\/?scratchpad>/g, '').trim();
}

function parseCall(body: string): OrchestrationAction {
  const text = body.replace(/<\/function_call>[\s\S]*$/, '').trim();
  const open = text.indexOf('(');
  const name = (open < 0 ? text : text.slice(0, open)).trim();
  const isQuestion = name.toLowerCase() === 'user::askuser';
  const parts = /^([A-Za-z]+)::([\p{L}\p{N}_-]+)::([^()\s]+)$/u.exec(name);
  if (!isQuestion && parts === null) return reprompt('BAD_FUNCTION_NAME');
  if (open < 0 || !text.endsWith(')')) return reprompt('MISSING_CLOSE_PAREN');
  const parsed = parseArguments(text.slice(open + 1, -1));
  if (!parsed.ok) return reprompt(parsed.reason);
  if (isQuestion) return askUser(parsed.args);
  const [, verb = '', group = '', operation = ''] = parts ?? [];
  const base = knowledgeBase.exec(group)?.[1];
  if (base !== undefined) return searchOf(base, parsed.args);
  return { type: 'ACTION_GROUP', verb: verb.toUpperCase(), group, operation, args: parsed.args };
}

function askUser(args: Readonly<Record<string, string>>): OrchestrationAction {
  const text = args['askuser']?.trim() ?? '';
  return text === '' ? reprompt('MISSING_ASKUSER') : { type: 'ASK_USER', text };
}

function searchOf(knowledgeBaseId: string, args: Readonly<Record<string, string>>): OrchestrationAction {
  const searchQuery = args['searchQuery'] ?? '';
  return searchQuery === ''
    ? reprompt('MISSING_SEARCH_QUERY')
    : { type: 'KNOWLEDGE_BASE', knowledgeBaseId, searchQuery };
}

function parseAnswer(body: string): OrchestrationAction {
  const text = body.replace(/<\/answer>[\s\S]*$/, '');
  const parts = [...text.matchAll(/<answer_part>([\s\S]*?)<\/answer_part>/g)].map(([, part = '']) => answerPart(part));
  if (parts.length === 0) return { type: 'FINISH', text: text.trim() };
  return { type: 'FINISH', text: parts.map((part) => part.text).join(' '), citations: parts };
}

function answerPart(part: string): AnswerPart {
  const text = /<text>([\s\S]*?)<\/text>/.exec(part)?.[1]?.trim() ?? '';
  const references = [...part.matchAll(/<source>([\s\S]*?)<\/source>/g)].map(([, source = '']) => source.trim());
  return { text, references };
}

function reprompt(reason: RepromptReason): OrchestrationAction {
  return { type: 'REPROMPT', reason };
}
