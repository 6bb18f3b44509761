import type { ContentBlock, ConverseCommandInput, Message, Tool, ToolChoice } from '@aws-sdk/client-bedrock-runtime';
import { isMapping, type JsonObject, type JsonValue, type ModelRequest } from '@unroll/engine';
import { messageParts, messagesOf, misplacedPicture, pictureOf } from '../openai/message-parts.ts';

/**
 * An OpenAI-shaped chat request as Amazon Bedrock's Converse API takes it (API reference, `Converse`): system texts
 * apart, one message after another by user and assistant in turn, calls and their results as `toolUse` and `toolResult`.
 * `functions` and `tools` both become tools.
 */
export function converseRequest(request: ModelRequest): ConverseCommandInput {
  const messages = (request['messages'] ?? []) as readonly JsonObject[];
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const others = messages.filter((one) => !system.includes(one));
  const tools = toolsOf(request);
  return {
    modelId: String(request['model'] ?? ''),
    messages: inTurn(others),
    ...(system.length === 0 ? {} : { system: system.map((one) => ({ text: contentText(one['content']) })) }),
    inferenceConfig: {
      ...numberAt(request, 'temperature', 'temperature'),
      ...numberAt(request, 'top_p', 'topP'),
      ...numberAt(request, 'max_tokens', 'maxTokens'),
      ...numberAt(request, 'max_completion_tokens', 'maxTokens'),
      ...stopsOf(request['stop']),
    },
    ...(tools.length === 0 ? {} : { toolConfig: { tools, ...choiceOf(request) } }),
    additionalModelResponseFieldPaths: ['/stop_sequence'],
  };
}

function numberAt(request: ModelRequest, from: string, to: string): Readonly<Record<string, number>> {
  const value = request[from];
  return value === undefined || value === null ? {} : { [to]: Number(value) };
}

function stopsOf(stop: JsonValue | undefined): { readonly stopSequences?: string[] } {
  if (stop === undefined || stop === null || stop === '') return {};
  const stops = (Array.isArray(stop) ? stop : [stop]).map(String);
  return stops.length === 0 ? {} : { stopSequences: stops };
}

/** The service refuses two messages of one role in a row, empty texts, and white space at the very end. */
function inTurn(messages: readonly JsonObject[]): Message[] {
  const turns: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  let calls = 0;
  for (const message of messages) {
    const role = message['role'] === 'assistant' ? 'assistant' : 'user';
    if (message['function_call'] !== undefined && message['function_call'] !== null) calls += 1;
    const content = blocksOf(message, `call_${calls}`);
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  const last = turns.at(-1);
  if (last?.role === 'assistant') last.content = last.content.map(withoutTrailingSpace);
  return turns;
}

function withoutTrailingSpace(block: ContentBlock): ContentBlock {
  return block.text === undefined ? block : { text: block.text.trimEnd() };
}

/** @param callId what pairs a `function_call`, which has no id, with its result */
function blocksOf(message: JsonObject, callId: string): ContentBlock[] {
  const { role, content } = message;
  if (role === 'tool') return [resultBlock(String(message['tool_call_id']), content)];
  if (role === 'function') return [resultBlock(callId, content)];
  const called = ((message['tool_calls'] ?? []) as readonly JsonObject[]).map((call) =>
    useBlock(String(call['id']), call['function'] as JsonObject),
  );
  const { function_call: one } = message;
  const single = one === undefined || one === null ? [] : [useBlock(callId, one as JsonObject)];
  return [...contentBlocks(content), ...called, ...single];
}

function contentBlocks(content: JsonValue | undefined): ContentBlock[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [{ text: content }];
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonObject[]).flatMap((part) => {
    if (typeof part['text'] === 'string') return part['text'].trim() === '' ? [] : [{ text: part['text'] }];
    const image = imageBlock(pictureOf(part) ?? '');
    return image === undefined ? [] : [image];
  });
}

/** Why a part of a message cannot be sent; undefined where all can. */
export function unsendablePart(request: ModelRequest): string | undefined {
  for (const part of messageParts(request)) {
    if (typeof part['text'] === 'string') continue;
    const url = pictureOf(part);
    if (url === undefined) return `a part of a message is of type ${String(part['type'])}: texts and images are taken`;
    if (imageBlock(url) !== undefined) continue;
    const [, type] = /^data:([^;,]*)/.exec(url) ?? [];
    return type === undefined
      ? 'Amazon Bedrock takes the bytes of a picture and not its address: give the file, or base64'
      : `Amazon Bedrock takes pictures that are png, jpeg, gif or webp, not ${type}`;
  }
  return misplacedPicture(messagesOf(request));
}

/** Pictures travel as bytes: only `data:` addresses can be sent. */
function imageBlock(url: string): ContentBlock | undefined {
  const [, format, data] = /^data:image\/(png|jpeg|gif|webp);base64,(.*)$/s.exec(url) ?? [];
  if (format === undefined || data === undefined) return undefined;
  return {
    image: { format: format as 'png' | 'jpeg' | 'gif' | 'webp', source: { bytes: Buffer.from(data, 'base64') } },
  };
}

function resultBlock(toolUseId: string, content: JsonValue | undefined): ContentBlock {
  return { toolResult: { toolUseId, content: [{ text: contentText(content) }] } };
}

function useBlock(toolUseId: string, { name, arguments: given }: JsonObject): ContentBlock {
  return { toolUse: { toolUseId, name: String(name), input: parsedObject(String(given ?? '{}')) } };
}

/** The service takes arguments as an object; what is none was the model's own mistake, and is shown as such. */
function parsedObject(text: string): Record<string, never> {
  try {
    const value: JsonValue = JSON.parse(text);
    return (isMapping(value) ? value : { value }) as never;
  } catch {
    return { unreadable: text } as never;
  }
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return (content as readonly JsonObject[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function toolsOf(request: ModelRequest): Tool[] {
  if (request['tool_choice'] === 'none' || request['function_call'] === 'none') return [];
  const tools = ((request['tools'] ?? []) as readonly JsonObject[]).map((one) => one['function'] as JsonObject);
  const functions = (request['functions'] ?? []) as readonly JsonObject[];
  return [...tools, ...functions].map(({ name, description, parameters }) => ({
    toolSpec: {
      name: String(name),
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
      inputSchema: { json: (parameters ?? { type: 'object', properties: {} }) as never },
    },
  }));
}

function choiceOf(request: ModelRequest): { readonly toolChoice?: ToolChoice } {
  const choice = request['tool_choice'] ?? request['function_call'];
  if (choice === 'required') return { toolChoice: { any: {} } };
  if (typeof choice !== 'object' || choice === null) return {};
  const { name, function: inner } = choice as { readonly name?: JsonValue; readonly function?: JsonObject };
  return { toolChoice: { tool: { name: String(name ?? inner?.['name']) } } };
}
