import {
  type ChatModelService,
  type JsonObject,
  type JsonValue,
  type ModelReply,
  type ModelRequest,
  type ModelResult,
  mappingOf,
} from '@unroll/engine';
import { answerProtocol, type ProtocolPrompt } from './answer-protocol.ts';
import { contentWords } from './content-words.ts';
import { fillSchema } from './fill-schema.ts';
import { hashedEmbedding } from './hashed-embedding.ts';
import { Judging } from './judging.ts';
import { type Conversation, readConversation } from './read-conversation.ts';
import type { Passage } from './read-passages.ts';
import { isJapanese, note } from './said-by-stand-in.ts';
import { inOtherWords } from './same-meaning.ts';
import { nothingFound, nothingFoundFor, quoteFound, quoteParts } from './say-found.ts';
import { asksAboutItself, greeting, introduction, isSmallTalk } from './small-talk.ts';
import { splitSearch } from './split-question.ts';
import { type ToolText, type ToolUse, useTools } from './use-tools.ts';

/**
 * A deterministic stand-in for a chat model, so that flows run without a key or a network. It reads the functions in the
 * order the prompt names them, calls the first that was not called yet, judges the hits by the content words they share
 * with the question, and quotes the passage. It says of itself that it is no model; which hit it took and why is in the
 * explanation of its reply.
 */
export function offlineService(): ChatModelService {
  return {
    async call(api, request, call): Promise<ModelResult> {
      if (api === 'embedding') return { ok: true, reply: { body: hashedEmbedding(String(request['input'] ?? '')) } };
      const reply = api === 'chat' ? chatReply(request) : replyOf(request, answerText(String(request['prompt'] ?? '')));
      const { body } = reply;
      const text = typeof body === 'string' ? body : ((body as JsonObject)['content'] as string | null);
      if (text !== null) call.onText?.(text);
      return { ok: true, reply };
    },
  };
}

function replyOf(request: ModelRequest, body: JsonValue, { explanation } = new Judging()): ModelReply {
  return { body, usage: usageOf(request, body), ...(explanation === '' ? {} : { explanation }) };
}

/** An agent that is spoken to in text is answered in its protocol, with the stop sequence where the text ended. */
function chatReply(request: ModelRequest): ModelReply {
  const judging = new Judging();
  const spoken = answerProtocol(protocolPrompt(request), judging);
  if (spoken === undefined) return answeredChat(request);
  const body = message(spoken.text);
  const choices = [{ index: 0, finish_reason: 'stop', stop_reason: spoken.stop, message: body }];
  return { ...replyOf(request, body, judging), whole: { choices } };
}

/** The last text of each speaker. */
function protocolPrompt(request: ModelRequest): ProtocolPrompt {
  const messages = (request['messages'] ?? []) as readonly JsonObject[];
  const last = (wanted: string): string => {
    const content = messages.findLast(({ role }) => role === wanted)?.['content'];
    return typeof content === 'string' ? content : '';
  };
  return { system: last('system'), user: last('user'), assistant: last('assistant') };
}

/** One token for four letters of Latin text or one Japanese letter; an estimate, good for telling much from little. */
function usageOf(
  request: ModelRequest,
  body: JsonValue,
): { promptTokens: number; completionTokens: number; totalTokens: number } {
  const promptTokens = estimateTokens(JSON.stringify(request['messages'] ?? request['prompt'] ?? ''));
  const completionTokens = estimateTokens(JSON.stringify(body));
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

function estimateTokens(text: string): number {
  const wide = text.match(/[\u3000-\u9fff\uff00-\uffef]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** What all that is searched is on stands in the instructions, unless the passages themselves stand there. */
function answeredChat(request: ModelRequest): ModelReply {
  const conversation = readConversation(request);
  const judging = new Judging(
    conversation.passages.some(({ id }) => id !== undefined) ? '' : conversation.instructions,
  );
  return replyOf(request, answerChat(conversation, judging), judging);
}

function answerChat(conversation: Conversation, judging: Judging): JsonObject {
  const { question, functions, results, tools } = conversation;
  if (conversation.schema !== undefined) {
    return message(JSON.stringify(fillSchema(conversation.schema, conversation.texts)));
  }
  if (conversation.wantsJson) return message(JSON.stringify({ answer: answerText(question), offline: true }));
  if (functions.length === 0) return message(answerWithout(question, conversation.passages, judging));
  if (asksAboutItself(question)) return message(`${introduction(question, tools)}\n${note(question)}`);
  if (isSmallTalk(question)) return message(`${greeting(question)}\n${note(question)}`);
  const use = conversation.forced === undefined ? useTools(question, tools, results) : filledCall(conversation);
  if (use !== undefined) return answerUse(use, question, conversation.asTools, results.length);
  return answerSearches(conversation, judging);
}

/**
 * The searches are asked one after another until a hit answers without a doubt, or nearly; of all hits that were seen the best is quoted. One
 * that is asked for by name is the only one.
 */
function answerSearches(conversation: Conversation, judging: Judging): JsonObject {
  const { question, functions, results } = conversation;
  const parts = conversation.forced === undefined ? splitSearch(question) : [];
  if (parts.length > 1) return answerParts(question, parts, conversation, judging);
  const seen = differing(results.flatMap(({ passages }) => passages));
  const found = judging.judge(question, seen);
  const next = conversation.forced ?? functions.find((name) => !results.some((result) => result.name === name));
  const isSettled = found !== undefined && (conversation.forced !== undefined || judging.isSettled(question, seen));
  if (!isSettled && next !== undefined)
    return callsOf(next, conversation.asTools, [searchPhrase(question)], results.length);
  if (found !== undefined) return message(quoteFound(question, found, seen, judging));
  const searched = results.map(({ passages }) => passages);
  return message(nothingFound(question, searched, judging));
}

/** The function that is asked for by name, where it is no search: what its own parameters are called is what it is given. */
function filledCall({ forced: name = '', tools, texts }: Conversation): ToolUse | undefined {
  const parameters = tools.find((tool) => tool.name === name)?.parameters ?? {};
  const names = Object.keys(mappingOf(parameters['properties']));
  if (names.length === 0 || names.includes('query')) return undefined;
  return { kind: 'calls', calls: [{ name, given: mappingOf(fillSchema(parameters, texts)) }] };
}

/**
 * Every search is asked for each part that is open, in one turn where several calls are allowed. Where one is allowed at a time,
 * once for the whole; the last search then for each part that is open, one after another.
 */
function answerParts(
  question: string,
  parts: readonly string[],
  { functions, results, asTools }: Pick<Conversation, 'functions' | 'results' | 'asTools'>,
  judging: Judging,
): JsonObject {
  const seen = results.flatMap(({ passages }) => passages);
  const found = judging.judgeParts(question, parts, seen);
  const open = parts.filter((part, at) => found[at] === undefined || !judging.isSettled(part, seen));
  const next = functions.find((name) => !results.some((result) => result.name === name));
  if (open.length > 0 && next !== undefined) {
    const queries = asTools ? open : [next === functions.at(-1) ? (open[0] ?? '') : question];
    return callsOf(next, asTools, queries.map(searchPhrase), results.length);
  }
  const last = functions.at(-1) ?? '';
  const asked = results.filter(({ name }) => name === last).length;
  const left = asTools ? undefined : open[asked];
  if (left !== undefined) return callsOf(last, asTools, [searchPhrase(left)], results.length);
  const answers = new Set(found.filter((one) => one !== undefined));
  if (answers.size === 0) return message(nothingFound(question, [seen], judging));
  return message(quoteParts(question, parts, found, seen, judging));
}

function message(content: string): JsonObject {
  return { role: 'assistant', content };
}

function answerUse(use: ToolUse, question: string, asTools: boolean, count: number): JsonObject {
  if (use.kind === 'results') {
    if (use.results.length === 0) return message(nothingFound(question));
    const missing = use.unanswered.map((part) => nothingFoundFor(part, question));
    return message(report(question, [...use.results, ...use.lacking], missing));
  }
  const made = use.calls.map(({ name, given }) => ({ name, arguments: JSON.stringify(given) }));
  if (!asTools) return { role: 'assistant', content: null, function_call: made[0] ?? null };
  const calls = made.map((call, at) => ({ id: `call_${count + at + 1}`, type: 'function', function: call }));
  return { role: 'assistant', content: null, tool_calls: calls };
}

function report(question: string, results: readonly ToolText[], missing: readonly string[]): string {
  const lines = [...results.map(({ name, text }) => `- ${name}: ${text}`), ...missing].join('\n');
  return `${isJapanese(question) ? '調べた結果です。' : 'This is what was found:'}\n${lines}\n${note(question)}`;
}

/** @param queries one where functions are called, which are called one at a time */
function callsOf(name: string, asTools: boolean, queries: readonly string[], count: number): JsonObject {
  const made = queries.map((query) => ({ name, arguments: JSON.stringify({ query }) }));
  if (!asTools) return { role: 'assistant', content: null, function_call: made[0] ?? null };
  const calls = made.map((call, at) => ({ id: `call_${count + at + 1}`, type: 'function', function: call }));
  return { role: 'assistant', content: null, tool_calls: calls };
}

/** Each once: two searches may find the same. */
function differing(passages: readonly Passage[]): readonly Passage[] {
  return [...new Map(passages.map((one) => [JSON.stringify(one), one])).values()];
}

/** The question without its punctuation, and its words in others that say the same; the question itself where none carries meaning. */
function searchPhrase(question: string): string {
  const kept = question
    .normalize('NFKC')
    .replaceAll(/[?？。、.,!！「」()（）]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (contentWords(kept).size === 0) return question.trim();
  return [kept, ...inOtherWords(kept)].join(' ');
}

function answerWithout(question: string, passages: readonly Passage[], judging: Judging): string {
  const found = judging.judge(question, passages);
  if (found !== undefined) return quoteFound(question, found, passages, judging);
  // What is headed [id] was searched for, as is what says that nothing was found; else it is any prompt.
  return passages.some(({ id, text }) => id !== undefined || tellsOfNone.test(text))
    ? nothingFound(question, [passages], judging)
    : answerText(question);
}

/** `No passage was found.`, in a paragraph of its own. */
const tellsOfNone = /^(?:no \w+ (?:was|were) found\.?|[^\n。]*見つかりませんでした。?)$/iu;

function answerText(prompt: string): string {
  const last = prompt.trim().split('\n').at(-1) ?? '';
  return isJapanese(prompt)
    ? `ご入力「${last}」を受け取りました。\n${note(prompt)}`
    : `Received: ${last}\n${note(prompt)}`;
}
