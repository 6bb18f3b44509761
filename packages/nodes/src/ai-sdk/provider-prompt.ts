import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';
import { misplacedPicture } from '../openai/message-parts.ts';
import type {
  FilePart,
  PromptMessage,
  ProviderOptions,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './language-model.ts';

/** Messages in the form of the AI SDK, and what of them could not be said in it. */
export interface ReadPrompt {
  readonly prompt: readonly PromptMessage[];
  readonly problems: readonly string[];
}

/**
 * OpenAI-shaped messages as the AI SDK's prompt (`LanguageModelV4Prompt`). A `function_call`, which has no id, is paired with its
 * result by an id made here. `provider_options` of a message, of a part of its content and of a call go with it; `reasoning` of
 * an earlier answer goes first in it, as it came. Blank texts are left out: services refuse them.
 *
 * @param version of the interface: files have another form in `v3`
 */
export function providerPrompt(messages: readonly JsonObject[], version: string): ReadPrompt {
  const reading: Reading = { version, names: new Map(), problems: [], functionCalls: 0 };
  const prompt = messages.flatMap((message) => promptMessage(message, reading));
  const misplaced = misplacedPicture(messages);
  return { prompt, problems: misplaced === undefined ? reading.problems : [...reading.problems, misplaced] };
}

interface Reading {
  readonly version: string;
  /** Of the tools that were called, by the ids of calls. */
  readonly names: Map<string, string>;
  readonly problems: string[];
  functionCalls: number;
}

function promptMessage(message: JsonObject, reading: Reading): readonly PromptMessage[] {
  const { role, content } = message;
  const more = optionsOf(message);
  if (role === 'system' || role === 'developer') return [{ role: 'system', content: contentText(content), ...more }];
  if (role === 'assistant') {
    const parts = assistantParts(message, reading);
    return parts.length === 0 ? [] : [{ role, content: parts, ...more }];
  }
  if (role === 'tool' || role === 'function') {
    return [{ role: 'tool', content: [toolResult(message, reading)], ...more }];
  }
  const parts = userParts(content, reading);
  return parts.length === 0 ? [] : [{ role: 'user', content: parts, ...more }];
}

/** `provider_options` as they are written, with plain numbers. */
export function optionsOf(value: JsonObject): { readonly providerOptions?: ProviderOptions } {
  const given = value['provider_options'];
  if (typeof given !== 'object' || given === null) return {};
  return { providerOptions: plain(given) as ProviderOptions };
}

/** A value without the numbers that are boxed to be floats in Python's eyes. */
export function plain(value: JsonValue): unknown {
  return JSON.parse(stringifyJson(value));
}

function userParts(content: JsonValue | undefined, reading: Reading): readonly (TextPart | FilePart)[] {
  if (!Array.isArray(content)) return textParts(contentText(content));
  return (content as readonly JsonObject[]).flatMap((part): readonly (TextPart | FilePart)[] => {
    if (typeof part['text'] === 'string') return textParts(part['text'], optionsOf(part));
    const url = (part['image_url'] as JsonObject | undefined)?.['url'];
    if (typeof url === 'string') return filePart(url, optionsOf(part), reading);
    reading.problems.push(`a part of a message is of type ${String(part['type'])}: texts and images are taken`);
    return [];
  });
}

function textParts(text: string, more: { readonly providerOptions?: ProviderOptions } = {}): readonly TextPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...more }];
}

function filePart(
  url: string,
  more: { readonly providerOptions?: ProviderOptions },
  { version, problems }: Reading,
): readonly FilePart[] {
  const [, type, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(url) ?? [];
  if (type !== undefined && data !== undefined) {
    return [{ type: 'file', mediaType: type, data: version === 'v3' ? data : { type: 'data', data }, ...more }];
  }
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    problems.push('an image is neither base64 data nor an address');
    return [];
  }
  const address = new URL(url);
  const mediaType = typeByEnding(address);
  return [{ type: 'file', mediaType, data: version === 'v3' ? address : { type: 'url', url: address }, ...more }];
}

/** Some providers take no image of whose type nothing is said. */
function typeByEnding({ pathname }: URL): string {
  const [, ending = ''] = /\.(png|jpe?g|gif|webp)$/i.exec(pathname) ?? [];
  return ending === '' ? 'image/*' : `image/${ending.toLowerCase().replace('jpg', 'jpeg')}`;
}

function assistantParts(message: JsonObject, reading: Reading): readonly (TextPart | ReasoningPart | ToolCallPart)[] {
  const thoughts = ((message['reasoning'] ?? []) as readonly JsonObject[]).map(
    (one): ReasoningPart => ({ type: 'reasoning', text: String(one['text'] ?? ''), ...optionsOf(one) }),
  );
  const calls = ((message['tool_calls'] ?? []) as readonly JsonObject[]).map((call) =>
    toolCall(String(call['id']), call['function'] as JsonObject, call, reading),
  );
  const { function_call: called = null } = message;
  if (called !== null) {
    reading.functionCalls += 1;
    calls.push(toolCall(`call_${reading.functionCalls}`, called as JsonObject, called as JsonObject, reading));
  }
  return [...thoughts, ...textParts(contentText(message['content'])), ...calls];
}

function toolCall(
  toolCallId: string,
  { name, arguments: given }: JsonObject,
  call: JsonObject,
  { names }: Reading,
): ToolCallPart {
  const toolName = String(name);
  names.set(toolCallId, toolName);
  return { type: 'tool-call', toolCallId, toolName, input: parsedObject(given), ...optionsOf(call) };
}

/** Services take arguments as an object; what is none was the model's own mistake, and is shown as such. */
function parsedObject(given: JsonValue | undefined): unknown {
  if (typeof given !== 'string') return plain(given ?? {});
  try {
    const value: unknown = JSON.parse(given === '' ? '{}' : given);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
  } catch {
    return { unreadable: given };
  }
}

function toolResult(message: JsonObject, { names, functionCalls }: Reading): ToolResultPart {
  const toolCallId = message['role'] === 'function' ? `call_${functionCalls}` : String(message['tool_call_id']);
  const toolName = names.get(toolCallId) ?? String(message['name'] ?? toolCallId);
  const output = { type: 'text', value: contentText(message['content']) } as const;
  return { type: 'tool-result', toolCallId, toolName, output, ...optionsOf(message) };
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : stringifyJson(content);
  return (content as readonly JsonObject[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}
