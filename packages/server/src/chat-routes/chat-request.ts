import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import type { ChatShape } from '@unroll/project';
import * as z from 'zod';
import { readShape } from '../answers/read-shape.ts';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(textPart)], 'must be a text, or a list of parts of type text');
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: content.nullable().optional(),
});
/** What a model said may be nothing but calls of tools; what a user says is something. */
const saidMessage = message.refine(({ role, content: said }) => role !== 'user' || (said ?? null) !== null, {
  path: ['content'],
  error: 'must be a text, or a list of parts of type text',
});

const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(saidMessage).min(1),
  stream: z.boolean().nullable().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullable().optional(),
  n: z.literal(1, 'one choice is answered').nullable().optional(),
  tools: z.array(z.unknown()).max(0, 'a flow has tools of its own').nullable().optional(),
  /** Ours: other inputs of the flow, by name. */
  inputs: z.record(z.string(), z.unknown()).optional(),
});

/** What is asked of a flow as a chat model. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly isStreamed: boolean;
  readonly wantsUsage: boolean;
  readonly inputs: JsonObject;
  /** What the flow decides itself, though the request says something of it: `temperature`, `system messages`. */
  readonly passedOver: readonly string[];
}

interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant';
  readonly text: string;
}

export type ReadChatRequest =
  | { readonly ok: true; readonly request: ChatRequest }
  | { readonly ok: false; readonly message: string };

/** Keys that mean nothing for the answer, or that are read. */
const understood: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'n', 'tools', 'inputs'],
  ...['user', 'metadata', 'store', 'safety_identifier', 'prompt_cache_key'],
]);

export function readChatRequest(body: string): ReadChatRequest {
  let value: JsonValue;
  try {
    value = parseJson(body);
  } catch {
    return { ok: false, message: 'the body is no JSON' };
  }
  const read = readShape(chatRequest, value);
  if (!read.ok) return read;
  const { model, messages, stream, stream_options: options, inputs = {} } = read.value;
  const isSystem = messages.some(({ role }) => role === 'system' || role === 'developer');
  return {
    ok: true,
    request: {
      model,
      messages: messages.map(({ role, content: written }) => ({ role, text: contentText(written ?? '') })),
      isStreamed: stream === true,
      wantsUsage: options?.include_usage === true,
      inputs: inputs as JsonObject,
      passedOver: [
        ...(isSystem ? ['system messages'] : []),
        ...unreadOf(messages),
        ...Object.keys(read.value).filter((key) => !understood.has(key)),
      ],
    },
  };
}

/** What messages hold beside their texts: names of users, calls of tools. */
function unreadOf(messages: readonly object[]): readonly string[] {
  const given = messages.flatMap((one) => Object.entries(one).filter(([, value]) => value !== null));
  const names = new Set(given.map(([name]) => name).filter((name) => name !== 'role' && name !== 'content'));
  return [...names].map((name) => `messages.${name}`);
}

function contentText(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

/**
 * The inputs of a turn: what the user said last, and the turns before as the flow's history holds them; undefined where the user said
 * nothing last. Messages of one side that follow each other are one.
 */
export function turnInputs({ messages, inputs }: ChatRequest, shape: ChatShape): JsonObject | undefined {
  const said = turnsOf(messages);
  const last = said.at(-1);
  if (last?.role !== 'user') return undefined;
  const before = said.slice(said[0]?.role === 'user' ? 0 : 1, -1);
  const history = Array.from({ length: before.length / 2 }, (_, turn) => ({
    inputs: { [shape.input.name]: before[2 * turn]?.text ?? '' },
    outputs: { [shape.output ?? 'output']: before[2 * turn + 1]?.text ?? '' },
  }));
  return {
    ...inputs,
    [shape.input.name]: last.text,
    ...(shape.history === undefined ? {} : { [shape.history]: history }),
  };
}

/** Messages that a flow has no place for: those before the last where it keeps no history, and one of the assistant before any of the user. */
export function messagesWithoutPlace({ messages }: ChatRequest, { history }: ChatShape): readonly string[] {
  const [first, ...more] = turnsOf(messages);
  if (history === undefined) return more.length === 0 ? [] : ['earlier messages'];
  return first?.role === 'assistant' ? ['first message of the assistant'] : [];
}

function turnsOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const turns: { readonly role: ChatMessage['role']; readonly texts: string[] }[] = [];
  for (const { role, text } of messages) {
    if (role !== 'user' && role !== 'assistant') continue;
    const last = turns.at(-1);
    if (last?.role === role) last.texts.push(text);
    else turns.push({ role, texts: [text] });
  }
  return turns.map(({ role, texts }) => ({ role, text: texts.join('\n\n') }));
}
