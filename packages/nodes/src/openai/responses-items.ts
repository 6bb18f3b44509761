import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import { isEncryptedThought } from './encrypted-thought.ts';

/**
 * Messages of chat as items of the Responses API, in their order. A call and its result are items of their own, paired by an id;
 * a `function_call` of the older form has none, and is given one. What a model thought stands before what it led to.
 */
export function responseItems(messages: readonly JsonObject[]): readonly JsonObject[] {
  let functionCalls = 0;
  return messages.flatMap((message) => {
    if (isMapping(message['function_call'] ?? null)) functionCalls += 1;
    return itemsOf(message, `call_${functionCalls}`);
  });
}

/** @param callId pairs a `function_call` and the message with its result */
function itemsOf(message: JsonObject, callId: string): readonly JsonObject[] {
  const { role = 'user', content = null, tool_calls: calls, function_call: called } = message;
  if (role === 'tool') return [resultItem(message['tool_call_id'] ?? '', content)];
  if (role === 'function') return [resultItem(callId, content)];
  if (role !== 'assistant') return [{ role, content: inputContent(content) }];
  const said = saidText(message);
  const spoken = said === '' ? [] : [...thoughtsOf(message), { role, content: said }];
  const toolCalls = Array.isArray(calls) ? (calls as readonly JsonObject[]) : [];
  return [
    ...spoken,
    ...toolCalls.flatMap((call) => callItems(call, call['function'] ?? null, call['id'] ?? '')),
    ...callItems(called, called ?? null, callId),
  ];
}

/** A refusal stands among the messages as what was said. */
function saidText({ content = null, refusal = null }: JsonObject): string {
  if (typeof content === 'string' && content !== '') return content;
  if (!Array.isArray(content)) return typeof refusal === 'string' ? refusal : '';
  return (content as readonly JsonObject[]).map((part) => String(part['text'] ?? part['refusal'] ?? '')).join('');
}

function callItems(call: JsonValue | undefined, called: JsonValue, callId: JsonValue): readonly JsonObject[] {
  if (!isMapping(called)) return [];
  const { name = '', arguments: given = '' } = called;
  return [...thoughtsOf(call), { type: 'function_call', call_id: callId, name, arguments: given }];
}

function thoughtsOf(of: JsonValue | undefined): readonly JsonObject[] {
  const { reasoning } = of as JsonObject;
  return Array.isArray(reasoning) ? (reasoning as readonly JsonValue[]).filter(isEncryptedThought) : [];
}

function resultItem(callId: JsonValue, content: JsonValue): JsonObject {
  return { type: 'function_call_output', call_id: callId, output: inputContent(content) };
}

function inputContent(content: JsonValue): JsonValue {
  return Array.isArray(content) ? (content as readonly JsonValue[]).map(inputPart) : (content ?? '');
}

/** Parts of a kind that chat does not have are the author's own for this API. */
function inputPart(part: JsonValue): JsonValue {
  if (!isMapping(part)) return part;
  const { type, text = '', image_url: image, file } = part;
  if (type === 'text') return { type: 'input_text', text };
  if (type === 'image_url') return imagePart(image ?? null);
  return type === 'file' && isMapping(file ?? null) ? { type: 'input_file', ...(file as JsonObject) } : part;
}

function imagePart(image: JsonValue): JsonObject {
  const { url = '', detail = 'auto' } = isMapping(image) ? image : { url: image };
  return { type: 'input_image', image_url: url, detail };
}
