import type { JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { endWarnings } from './end-warnings.ts';
import { type AnswerProblem, errorInAnswer, type ReadAnswer, replyOf, unusable } from './read-answer.ts';
import { readUsage } from './read-usage.ts';
import { firstIssue } from './schema-issue.ts';
import { withLogprobs } from './told-logprobs.ts';

/** How a stream ended, as far as only its bytes tell it. */
export interface StreamEnd {
  /** `[DONE]` came: the service says that this is all. */
  isDone: boolean;
}

type OnText = ((text: string) => void) | undefined;

/** No model calls more tools at once. */
const maxCalls = 1000;
const text = z.string().nullish();
const calledPart = z.looseObject({ name: text, arguments: text });
const delta = z.looseObject({
  content: text,
  refusal: text,
  function_call: calledPart.nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z
          .int()
          .min(0)
          .max(maxCalls - 1),
        id: text,
        function: calledPart.nullish(),
      }),
    )
    .nullish(),
});
const index = z.int().nullish();
const chatPart = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index,
        delta: delta.nullish(),
        finish_reason: text,
        logprobs: z.looseObject({ content: z.array(z.unknown()).nullish() }).nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
});
const completionPart = z.looseObject({
  choices: z.array(z.looseObject({ index, text, finish_reason: text })).nullish(),
  usage: z.unknown().optional(),
});
type Delta = z.infer<typeof delta>;

/**
 * A streamed chat answer, joined: its text handed on piece by piece, calls of functions and tools put together. A stream that
 * ends with neither `finish_reason` nor `[DONE]` was cut short, and is no answer.
 *
 * @throws what the connection failed with
 */
export async function readChatStream(
  parts: AsyncIterable<unknown>,
  end: StreamEnd,
  onText: OnText,
): Promise<ReadAnswer> {
  const logprobs: unknown[] = [];
  const message: MessageInParts = { role: 'assistant', content: null, refusal: null, toolCalls: [] };
  const streamed = new StreamedChoice();
  for await (const part of untilQuiet(parts, () => streamed.isOver)) {
    const read = chatPart.safeParse(part);
    if (!read.success) return streamed.refused(part, read.error);
    const choice = firstChoice(read.data.choices);
    streamed.take(read.data, choice);
    logprobs.push(...(choice?.logprobs?.content ?? []));
    if (choice?.delta === undefined || choice.delta === null) continue;
    addDelta(message, choice.delta);
    onText?.(choice.delta.content ?? '');
  }
  const body = joinedMessage(message);
  const isEmpty = message.content === null && message.refusal === null && Object.keys(body as object).length === 2;
  return withLogprobs(streamed.answer(body, end, isEmpty), { content: logprobs, refusal: null });
}

/** As `readChatStream`, for the older API; the body is the text. */
export async function readCompletionStream(
  parts: AsyncIterable<unknown>,
  end: StreamEnd,
  onText: OnText,
): Promise<ReadAnswer> {
  let whole = '';
  const streamed = new StreamedChoice();
  for await (const part of untilQuiet(parts, () => streamed.isOver)) {
    const read = completionPart.safeParse(part);
    if (!read.success) return streamed.refused(part, read.error);
    const choice = firstChoice(read.data.choices);
    streamed.take(read.data, choice);
    whole += choice?.text ?? '';
    if (choice !== undefined) onText?.(choice.text ?? '');
  }
  return streamed.answer(whole, end, false);
}

/** How long is waited for tokens behind `finish_reason` where the service leaves the connection open. */
const patienceMs = 3000;

/** Parts while they come; where the answer is over, none that keeps one waiting. The connection is left to the caller. */
async function* untilQuiet<Part>(parts: AsyncIterable<Part>, isOver: () => boolean): AsyncGenerator<Part> {
  const each = parts[Symbol.asyncIterator]();
  while (true) {
    const coming = each.next();
    const part = isOver() ? await inTime(coming) : await coming;
    if (part === undefined || part.done === true) return;
    yield part.value;
  }
}

async function inTime<Part>(coming: Promise<Part>): Promise<Part | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), patienceMs);
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the parts of a stream tell beside the text. */
class StreamedChoice {
  private usage: unknown;
  private finishReason: string | undefined;
  private parts = 0;

  /** Whether all but the tokens was told. */
  get isOver(): boolean {
    return this.finishReason !== undefined;
  }

  take(
    part: { readonly usage?: unknown },
    choice: { readonly finish_reason?: string | null | undefined } | undefined,
  ): void {
    this.parts += 1;
    this.usage = part.usage ?? this.usage;
    this.finishReason = choice?.finish_reason ?? this.finishReason;
  }

  refused(part: unknown, error: z.ZodError): ReadAnswer {
    const message = `a part of the stream cannot be used: ${firstIssue(error)}`;
    return { ok: false, problem: errorInAnswer(part) ?? unusable(message, part) };
  }

  answer(body: JsonValue, end: StreamEnd, isEmpty: boolean): ReadAnswer {
    if (this.finishReason === undefined && !end.isDone) return { ok: false, problem: this.cutShort(body) };
    const { usage, warnings } = readUsage(this.usage);
    const ended = endWarnings(this.finishReason, isEmpty);
    return { ok: true, reply: replyOf(body, usage, [...ended, ...warnings]) };
  }

  private cutShort(body: JsonValue): AnswerProblem {
    const had = this.parts === 0 ? 'without an event' : 'before the answer was complete';
    return unusable(`the stream ended ${had}: neither finish_reason nor [DONE] came`, this.parts === 0 ? '' : body);
  }
}

/** Of several answers asked for at once, parts of the others come in between. */
function firstChoice<Choice extends { readonly index?: number | null | undefined }>(
  choices: readonly Choice[] | null | undefined,
): Choice | undefined {
  return choices?.find((choice) => (choice.index ?? 0) === 0);
}

interface MessageInParts {
  readonly role: string;
  content: string | null;
  refusal: string | null;
  functionCall?: { name: string; arguments: string };
  readonly toolCalls: { id: string; type: string; function: { name: string; arguments: string } }[];
}

function addDelta(message: MessageInParts, part: Delta): void {
  message.content = appendText(message.content, part.content);
  message.refusal = appendText(message.refusal, part.refusal);
  if (part.function_call !== undefined && part.function_call !== null) {
    message.functionCall ??= { name: '', arguments: '' };
    addCalled(message.functionCall, part.function_call);
  }
  for (const call of part.tool_calls ?? []) {
    const known = message.toolCalls[call.index] ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
    message.toolCalls[call.index] = known;
    known.id += call.id ?? '';
    addCalled(known.function, call.function ?? {});
  }
}

/** null until there is a text, be it an empty one. */
function appendText(before: string | null, part: string | null | undefined): string | null {
  return typeof part === 'string' ? (before ?? '') + part : before;
}

function addCalled(known: { name: string; arguments: string }, part: z.infer<typeof calledPart>): void {
  known.name += part.name ?? '';
  known.arguments += part.arguments ?? '';
}

/** Calls in their order; a number that no part named is left out. */
function joinedMessage({ role, content, refusal, functionCall, toolCalls }: MessageInParts): JsonValue {
  return {
    role,
    content,
    ...(refusal === null ? {} : { refusal }),
    ...(functionCall === undefined ? {} : { function_call: functionCall }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.filter(() => true) }),
  };
}
