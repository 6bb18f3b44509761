import { type JsonObject, type JsonValue, type ModelRequest, mappingOf } from '@unroll/engine';
import type { ReadTexts } from './fill-schema.ts';
import type { OfferedTool } from './offered-tool.ts';
import { type Passage, readPassages } from './read-passages.ts';

/** What the stand-in understands of a request. */
export interface Conversation {
  /** The newest text of the user. */
  readonly question: string;
  /** Offered functions in the order the system prompt names them; those it does not name come last. */
  readonly functions: readonly string[];
  readonly asTools: boolean;
  /** A function the request asks for by name. */
  readonly forced?: string;
  readonly results: readonly { readonly name: string; readonly text: string; readonly passages: readonly Passage[] }[];
  /** Offered functions as they are described, in the same order. */
  readonly tools: readonly OfferedTool[];
  /** What the system prompt says. */
  readonly instructions: string;
  /** Passages that stand in the prompt itself. */
  readonly passages: readonly Passage[];
  readonly wantsJson: boolean;
  /** The form that the answer must have, and what there is to fill it with. */
  readonly schema?: JsonObject;
  readonly texts: ReadTexts;
}

export function readConversation(request: ModelRequest): Conversation {
  const messages = (request['messages'] ?? []) as readonly JsonObject[];
  const tools = (request['tools'] ?? []) as readonly JsonObject[];
  const offered =
    tools.length > 0
      ? tools.map(({ function: one }) => one as JsonObject)
      : ((request['functions'] ?? []) as readonly JsonObject[]);
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n');
  const question = questionOf(messages);
  const forced = forcedName(request['tool_choice']) ?? forcedName(request['function_call']);
  const isOff = request['tool_choice'] === 'none' || request['function_call'] === 'none';
  const names = isOff
    ? []
    : inOrderOf(
        system,
        offered.map(({ name }) => String(name)),
      );
  return {
    question,
    functions: names,
    tools: names.map((name) => describedTool(offered.find((one) => one['name'] === name) ?? {})),
    asTools: tools.length > 0,
    ...(forced === undefined ? {} : { forced }),
    results: readResults(messages),
    instructions: system,
    passages: readPassages(system),
    ...schemaOf(request),
    texts: readTexts(messages),
    wantsJson: /json/.test(String((request['response_format'] as JsonObject | undefined)?.['type'] ?? '')),
  };
}

/**
 * The newest text of the user; with the question before it, where it is the reply to what the stand-in asked in between: 「A-110」
 * says something only after 「在庫は？」.
 */
function questionOf(messages: readonly JsonObject[]): string {
  const said = messages.filter(({ role, content }) => role === 'user' || (role === 'assistant' && content));
  const at = said.findLastIndex(({ role }) => role === 'user');
  const [before, asked, reply] = [said[at - 2], said[at - 1], said[at]];
  const text = reply === undefined ? '' : messageText(reply);
  if (before?.['role'] !== 'user' || asked?.['role'] !== 'assistant' || !asksUser(messageText(asked))) return text;
  return `${messageText(before)} ${text}`;
}

/** As the stand-in asks: a question, or a request, and nothing else. */
function asksUser(text: string): boolean {
  return /^[^\n]*(?:[?？]|(?:教えて)?ください。?)$/u.test(text.trim());
}

function describedTool({ name = '', description = '', parameters }: JsonObject): OfferedTool {
  return { name: String(name), description: String(description), parameters: mappingOf(parameters) };
}

function schemaOf(request: ModelRequest): { readonly schema?: JsonObject } {
  const format = request['response_format'] as { readonly json_schema?: JsonObject } | undefined;
  const schema = format?.json_schema?.['schema'];
  return typeof schema === 'object' && schema !== null ? { schema: schema as JsonObject } : {};
}

function readTexts(messages: readonly JsonObject[]): ReadTexts {
  const [asked = '', ...later] = messages.filter(({ role }) => role === 'user').map(messageText);
  const said = messages.filter(({ role }) => role === 'assistant').map(messageText);
  return { asked, said, results: later.flatMap(readObject) };
}

function readObject(text: string): readonly JsonObject[] {
  if (!text.startsWith('{')) return [];
  try {
    return [JSON.parse(text) as JsonObject];
  } catch {
    return [];
  }
}

function messageText({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly JsonObject[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function forcedName(choice: JsonValue | undefined): string | undefined {
  if (typeof choice !== 'object' || choice === null) return undefined;
  const { name, function: inner } = choice as { readonly name?: JsonValue; readonly function?: JsonObject };
  const found = name ?? inner?.['name'];
  return typeof found === 'string' ? found : undefined;
}

function inOrderOf(text: string, names: readonly string[]): readonly string[] {
  const place = (name: string): number => {
    const at = text.indexOf(name);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  return [...names].sort((left, right) => (place(left) === place(right) ? 0 : place(left) - place(right)));
}

function readResults(messages: readonly JsonObject[]): Conversation['results'] {
  const calls = new Map<string, string>();
  for (const { tool_calls: made } of messages) {
    for (const call of (made ?? []) as readonly JsonObject[])
      calls.set(String(call['id']), String((call['function'] as JsonObject)['name']));
  }
  return messages.flatMap((one) => {
    if (one['role'] !== 'function' && one['role'] !== 'tool') return [];
    const name = one['role'] === 'function' ? String(one['name']) : (calls.get(String(one['tool_call_id'])) ?? '');
    return [{ name, text: messageText(one), passages: readPassages(messageText(one)) }];
  });
}
