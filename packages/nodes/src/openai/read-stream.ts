import type { Value } from '@unroll/engine';
import type OpenAI from 'openai';

/** What a streamed answer came to: the message or text put together, and the tokens where the service tells them. */
export interface ReadStream {
  readonly body: Value;
  readonly usage: TokenCounts | undefined;
}

export interface TokenCounts {
  readonly prompt_tokens: number;
  readonly completion_tokens?: number;
  readonly total_tokens: number;
}

/** A streamed chat answer, joined: its text handed on piece by piece, calls of functions and tools put together. */
export async function readChatStream(
  parts: AsyncIterable<OpenAI.ChatCompletionChunk>,
  onText: ((text: string) => void) | undefined,
): Promise<ReadStream> {
  const message: MessageInParts = { role: 'assistant', content: null, toolCalls: [] };
  let usage: TokenCounts | undefined;
  for await (const part of parts) {
    usage = part.usage ?? usage;
    const delta = part.choices[0]?.delta;
    if (delta === undefined) continue;
    addDelta(message, delta);
    onText?.(delta.content ?? '');
  }
  return { body: joinedMessage(message), usage };
}

/** As `readChatStream`, for the older API; the body is the text. */
export async function readCompletionStream(
  parts: AsyncIterable<OpenAI.Completion>,
  onText: ((text: string) => void) | undefined,
): Promise<ReadStream> {
  let text = '';
  let usage: TokenCounts | undefined;
  for await (const part of parts) {
    usage = part.usage ?? usage;
    const [choice] = part.choices;
    if (choice === undefined) continue;
    text += choice.text;
    onText?.(choice.text);
  }
  return { body: text, usage };
}

interface MessageInParts {
  role: string;
  content: string | null;
  functionCall?: { name: string; arguments: string };
  toolCalls: { id: string; type: string; function: { name: string; arguments: string } }[];
}

function addDelta(message: MessageInParts, delta: OpenAI.ChatCompletionChunk.Choice.Delta): void {
  if (typeof delta.content === 'string') message.content = (message.content ?? '') + delta.content;
  if (delta.function_call !== undefined && delta.function_call !== null) {
    message.functionCall ??= { name: '', arguments: '' };
    message.functionCall.name += delta.function_call.name ?? '';
    message.functionCall.arguments += delta.function_call.arguments ?? '';
  }
  for (const call of delta.tool_calls ?? []) {
    const known = message.toolCalls[call.index] ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
    message.toolCalls[call.index] = known;
    known.id += call.id ?? '';
    known.function.name += call.function?.name ?? '';
    known.function.arguments += call.function?.arguments ?? '';
  }
}

function joinedMessage({ role, content, functionCall, toolCalls }: MessageInParts): Value {
  return {
    role,
    content,
    ...(functionCall === undefined ? {} : { function_call: functionCall }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}
