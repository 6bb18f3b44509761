import { isMapping, type JsonObject, type JsonValue, type NodeRun } from '@unroll/engine';
import type { Message } from '../studio-contract/contract.ts';
import { valueView } from './value-view.ts';

/** What a chat model was sent, and its answer as the last message; empty for nodes that asked none. */
export function conversation({
  node,
  promptMessages,
  output,
}: Pick<NodeRun, 'node' | 'promptMessages' | 'output'>): readonly Message[] {
  if (promptMessages === undefined) return [];
  const sent = Array.isArray(promptMessages) ? (promptMessages as readonly JsonValue[]) : [promptMessages];
  const answer = output === undefined ? [] : [{ ...messageOf(output, 'assistant'), from: node }];
  return [...sent.map((one) => messageOf(one, 'user')), ...answer];
}

/** @param role of what names none: a prompt that is a text alone, an answer without its message */
function messageOf(value: JsonValue, role: string): Message {
  if (!isMapping(value)) return { role, parts: partsOf(value), calls: [] };
  const { role: own, name, tool_call_id: answers } = value;
  const isMessage = typeof own === 'string' || 'content' in value || 'tool_calls' in value || 'function_call' in value;
  if (!isMessage) return { role, parts: [{ kind: 'other', json: valueView(value) }], calls: [] };
  return {
    role: typeof own === 'string' ? own : role,
    ...(typeof name === 'string' ? { name } : {}),
    parts: partsOf(value['content'] ?? null),
    calls: callsOf(value),
    ...(typeof answers === 'string' ? { answers } : {}),
  };
}

function partsOf(content: JsonValue): Message['parts'] {
  if (content === null) return [];
  if (!Array.isArray(content)) return [partOf(content)];
  return (content as readonly JsonValue[]).map(partOf);
}

function partOf(part: JsonValue): Message['parts'][number] {
  if (typeof part === 'string') return { kind: 'text', text: valueView(part) };
  if (!isMapping(part)) return { kind: 'other', json: valueView(part) };
  if (typeof part['text'] === 'string') return { kind: 'text', text: valueView(part['text']) };
  const source = imageSource(part);
  return source === undefined ? { kind: 'other', json: valueView(part) } : { kind: 'image', source };
}

/** Only pictures that stand in the record itself; an address elsewhere is told, and not asked for. */
function imageSource(part: JsonObject): string | undefined {
  const image = part['image_url'];
  const url = isMapping(image) ? image['url'] : image;
  return typeof url === 'string' ? url : undefined;
}

function callsOf(message: JsonObject): Message['calls'] {
  const calls = message['tool_calls'];
  const called = Array.isArray(calls) ? (calls as readonly JsonValue[]).filter(isMapping) : [];
  const older = message['function_call'];
  return [
    ...called.flatMap((call) => callOf(call['function'], call['id'])),
    ...(isMapping(older) ? callOf(older, undefined) : []),
  ];
}

function callOf(called: JsonValue | undefined, id: JsonValue | undefined): Message['calls'] {
  if (!isMapping(called) || typeof called['name'] !== 'string') return [];
  const given = called['arguments'];
  return [
    {
      name: called['name'],
      arguments: valueView(typeof given === 'string' ? (parsed(given) ?? given) : given),
      ...(typeof id === 'string' ? { id } : {}),
    },
  ];
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
