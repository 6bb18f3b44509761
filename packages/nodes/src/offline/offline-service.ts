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
import { contentWords, meaningfulWords } from './content-words.ts';
import { doubtOfPassage } from './doubt-of-passage.ts';
import { fillSchema } from './fill-schema.ts';
import { hashedEmbedding } from './hashed-embedding.ts';
import { nearestOf, type Passage } from './judge-results.ts';
import { Judging } from './judging.ts';
import { type Conversation, readConversation } from './read-conversation.ts';
import { isJapanese, note } from './said-by-stand-in.ts';
import { inOtherScript } from './same-meaning.ts';
import { greeting, isSmallTalk } from './small-talk.ts';
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
  if (spoken === undefined) return replyOf(request, answerChat(request, judging), judging);
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

function answerChat(request: ModelRequest, judging: Judging): JsonObject {
  const conversation = readConversation(request);
  const { question, functions, results } = conversation;
  if (conversation.schema !== undefined) {
    return message(JSON.stringify(fillSchema(conversation.schema, conversation.texts)));
  }
  if (conversation.wantsJson) return message(JSON.stringify({ answer: answerText(question), offline: true }));
  if (functions.length === 0) return message(answerWithout(question, conversation.passages, judging));
  if (isSmallTalk(question)) return message(`${greeting(question)}\n${note(question)}`);
  const use =
    conversation.forced === undefined ? useTools(question, conversation.tools, results) : filledCall(conversation);
  if (use !== undefined) return answerUse(use, question, conversation.asTools, results.length);
  return answerSearches(conversation, judging);
}

function answerSearches(conversation: Conversation, judging: Judging): JsonObject {
  const { question, functions, results } = conversation;
  const parts = conversation.forced === undefined ? splitSearch(question) : [];
  if (parts.length > 1) return answerParts(question, parts, conversation, judging);
  const found = judging.judge(question, results.at(-1)?.passages ?? []);
  if (found !== undefined) return message(quote(question, found));
  const next = conversation.forced ?? functions.find((name) => !results.some((result) => result.name === name));
  if (next !== undefined) return callsOf(next, conversation.asTools, [searchPhrase(question)], results.length);
  const earlier = results.map(({ passages }) => judging.judge(question, passages)).find((one) => one !== undefined);
  return message(
    earlier === undefined
      ? nothingFound(
          question,
          results.map(({ passages }) => passages),
        )
      : quote(question, earlier),
  );
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
  const open = parts.filter((_, at) => found[at] === undefined);
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
  if (answers.size === 0) return message(nothingFound(question, [seen]));
  const answered = (answer: Passage): string => parts.filter((_, at) => found[at] === answer).join('\n');
  const missing = open.map((part) => nothingFoundFor(part, question));
  return message([...[...answers].map((answer) => quote(question, answer, answered(answer))), ...missing].join('\n'));
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

/** The question without its punctuation, words of a Japanese one in both scripts; the question itself where none carries meaning. */
function searchPhrase(question: string): string {
  const kept = question
    .normalize('NFKC')
    .replaceAll(/[?？。、.,!！「」()（）]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (contentWords(kept).size === 0) return question.trim();
  return isJapanese(kept) ? [kept, ...inOtherScript(meaningfulWords(kept))].join(' ') : kept;
}

/** @param asked the parts of the question that it answers */
function quote(question: string, passage: Passage, asked = question): string {
  const source = sourceOf(passage);
  const { text } = passage;
  const doubt = doubtOfPassage(question, asked, passage);
  if (isJapanese(question))
    return `${doubt}${source === '' ? '' : `「${source}」によると、`}次のとおりです。\n「${text}」\n${note(question)}`;
  return `${doubt}${source === '' ? 'The source says' : `According to "${source}"`}:\n"${text}"\n${note(question)}`;
}

/**
 * @param searched the hits of each search; of each the nearest is named, so that a reader can look there: by its title, since
 *   its id would look like a source of an answer, and sorted, since which search was asked first says nothing
 */
function nothingFound(question: string, searched: readonly (readonly Passage[])[] = []): string {
  const found = searched.map((hits) => nearestOf(question, hits)).filter((one) => one !== undefined);
  const names = [...new Set(found.map(({ id = '', title = id }) => title))].filter((name) => name !== '').sort();
  const [told, nearest] = isJapanese(question)
    ? ['お尋ねの件に当たる記載は、検索した範囲では見つかりませんでした。', '語が最も近い記載：']
    : ['Nothing that answers the question was found in the sources that were searched.', 'Nearest by their words:'];
  return [told, ...(names.length === 0 ? [] : [nearest, ...names.map((name) => `- ${name}`)]), note(question)].join(
    '\n',
  );
}

function sourceOf({ id, title }: Passage): string {
  return [id, title].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Of a question with several parts: which of them nothing was found for. */
function nothingFoundFor(part: string, question: string): string {
  return isJapanese(question) ? `「${part}」に当たる記載は見つかりませんでした。` : `Nothing was found for "${part}".`;
}

function answerWithout(question: string, passages: readonly Passage[], judging: Judging): string {
  const found = judging.judge(question, passages);
  if (found !== undefined) return quote(question, found);
  // What is headed [id] was searched for, as is what says that nothing was found; else it is any prompt.
  return passages.some(({ id, text }) => id !== undefined || tellsOfNone.test(text))
    ? nothingFound(question, [passages])
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
