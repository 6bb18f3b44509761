import type { JsonObject, JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { shownJson } from '../http/quoted.ts';
import { endWarnings } from './end-warnings.ts';
import {
  type AnswerProblem,
  answered,
  errorInAnswer,
  invalidAnswer,
  type ReadAnswer,
  unusable,
} from './read-answer.ts';

import { withLogprobs } from './told-logprobs.ts';

const text = z.string().nullish();
const textPart = z.looseObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()).nullish(),
  logprobs: z.array(z.unknown()).nullish(),
});
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const otherPart = z.looseObject({ type: z.string().refine((type) => !['output_text', 'refusal'].includes(type)) });
const item = z.union([
  z.looseObject({
    type: z.literal('message'),
    phase: z.unknown().optional(),
    status: z.unknown().optional(),
    content: z.array(z.union([textPart, refusalPart, otherPart])),
  }),
  z.looseObject({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: text,
    summary: z.array(z.unknown()).nullish(),
    encrypted_content: text,
  }),
  z.looseObject({ type: z.string().refine((type) => !['message', 'function_call', 'reasoning'].includes(type)) }),
]);
const response = z.looseObject({
  status: text,
  output: z.array(item),
  incomplete_details: z.looseObject({ reason: text }).nullish(),
  usage: z.unknown().optional(),
});
type Item = z.infer<typeof item>;

/**
 * The answer of `/responses`, as a chat model's of OpenAI: text, refusal and calls of all its items in one message; thoughts that
 * the service gave encrypted stand as `reasoning` at the call that they led to, or at the message where they led to its text.
 *
 * @param asFunction whether a call is told as `function_call`, where the node offered `functions`
 */
export function parseResponse(body: unknown, asFunction: boolean): ReadAnswer {
  const failed = failure(body);
  if (failed !== undefined) return { ok: false, problem: failed };
  const read = response.safeParse(body);
  if (!read.success) return invalidAnswer(body, read.error);
  const { output, incomplete_details: details, status } = read.data;
  const message = messageOf(output, asFunction);
  const reason = finishReason(output.some(isCut) ? 'incomplete' : status, details?.reason, message);
  const isEmpty = ['content', 'refusal', 'tool_calls', 'function_call'].every((key) => (message[key] ?? '') === '');
  const whole = { ...(body as JsonObject), choices: [{ index: 0, finish_reason: reason, message }] };
  const warnings = [...endWarnings(reason, isEmpty), ...unreadCalls(output)];
  return withLogprobs(answered(message, read.data, warnings, whole), { content: logprobsOf(output), refusal: null });
}

/** What a model asks for that only a caller who knows it can do; tools of the service itself ask for nothing. */
const otherCalls: ReadonlySet<string> = new Set([
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'mcp_approval_request',
]);

function unreadCalls(output: readonly Item[]): readonly string[] {
  const kinds = new Set(output.map(({ type }) => type).filter((type) => otherCalls.has(type)));
  return [...kinds].map((kind) => `the model asks for a ${kind}, which is not read here: only calls of functions are`);
}

/** Why there is no answer: the service says that it failed, or answers before it is through. */
function failure(body: unknown): AnswerProblem | undefined {
  const { status } = (typeof body === 'object' && body !== null ? body : {}) as { readonly status?: unknown };
  const problem = errorInAnswer(body);
  if (problem !== undefined) return problem;
  if (status === undefined || status === null || status === 'completed' || status === 'incomplete') return undefined;
  return unusable(
    `the service answered with a response that is ${typeof status === 'string' && status !== '' ? status : shownJson(status)}`,
    body,
  );
}

/** Of responses that are incomplete, by their own reasons. */
const finishReasons: ReadonlyMap<string, string> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
]);

function finishReason(
  status: string | null | undefined,
  reason: string | null | undefined,
  message: JsonObject,
): string {
  if (status === 'incomplete') return finishReasons.get(reason ?? '') ?? 'incomplete';
  if (message['tool_calls'] !== undefined) return 'tool_calls';
  return message['function_call'] === undefined ? 'stop' : 'function_call';
}

type Message = Extract<Item, { type: 'message' }>;

/** What a model tells on its way is no part of its answer, where it says which message that is. */
function answersOf(output: readonly Item[]): readonly Message[] {
  const messages = messagesOf(output);
  const final = messages.filter(({ phase }) => phase === 'final_answer');
  return final.length > 0 ? final : messages;
}

function messagesOf(output: readonly Item[]): readonly Message[] {
  return output.filter((one): one is Message => isKind(one, 'message'));
}

function isCut(one: Item): boolean {
  return (isKind(one, 'message') || isKind(one, 'function_call')) && one['status'] === 'incomplete';
}

function partsOf(output: readonly Item[]) {
  return answersOf(output).flatMap(({ content }) => content);
}

function textsOf(output: readonly Item[]): readonly z.infer<typeof textPart>[] {
  return textsIn(partsOf(output));
}

function textsIn(parts: readonly { readonly type: string }[]): readonly z.infer<typeof textPart>[] {
  return parts.flatMap((part) => (part.type === 'output_text' ? [part as z.infer<typeof textPart>] : []));
}

/** All text of a response that was read, with what the model told on its way. */
export function textOf(whole: unknown): string {
  const read = response.safeParse(whole);
  const messages = read.success ? messagesOf(read.data.output) : [];
  return textsIn(messages.flatMap(({ content }) => content))
    .map(({ text: one }) => one)
    .join('');
}

function logprobsOf(output: readonly Item[]): readonly unknown[] {
  return textsOf(output).flatMap(({ logprobs }) => logprobs ?? []);
}

function messageOf(output: readonly Item[], asFunction: boolean): JsonObject {
  const parts = partsOf(output);
  const texts = textsOf(output);
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? [String(part['refusal'])] : []));
  const annotations = texts.flatMap((part) => part.annotations ?? []) as readonly JsonValue[];
  const { calls, thought } = readCalls(output);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.map((part) => part.text).join(''),
    refusal: refusals.length === 0 ? null : refusals.join(''),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(calls.length === 0 ? {} : { ...thought, ...calledFields(calls, asFunction) }),
  };
}

function calledFields(calls: readonly ReadCall[], asFunction: boolean): JsonObject {
  const [first] = calls;
  if (asFunction && first !== undefined) return { function_call: { ...first.function, ...first.thought } };
  return { tool_calls: calls.map(({ thought, ...call }) => ({ ...call, ...thought })) };
}

interface ReadCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly thought: Thought;
}

interface Thought {
  readonly reasoning?: readonly JsonObject[];
}

interface ReadCalls {
  readonly calls: readonly ReadCall[];
  /** What led to the text before the calls. */
  readonly thought: Thought;
}

/** Thoughts can be sent back only where their content came with them; each belongs to what follows it. */
function readCalls(output: readonly Item[]): ReadCalls {
  let thoughts: JsonObject[] = [];
  let ofText: Thought = {};
  const taken = (): Thought => {
    const thought = thoughts.length === 0 ? {} : { reasoning: thoughts };
    thoughts = [];
    return thought;
  };
  const calls = output.flatMap((one): readonly ReadCall[] => {
    if (isKind(one, 'reasoning') && typeof one.encrypted_content === 'string') thoughts.push(sentBack(one));
    if (isKind(one, 'message')) ofText = { ...ofText, ...taken() };
    if (!isKind(one, 'function_call')) return [];
    const { call_id: id, name, arguments: given } = one;
    return [{ id, type: 'function', function: { name, arguments: given }, thought: taken() }];
  });
  return { calls, thought: ofText };
}

/** `status` is told by the service and not taken from us. */
function sentBack({ status: _status, ...thought }: Extract<Item, { type: 'reasoning' }>): JsonObject {
  return thought as unknown as JsonObject;
}

function isKind<Kind extends 'message' | 'function_call' | 'reasoning'>(
  one: Item,
  kind: Kind,
): one is Extract<Item, { type: Kind }> {
  return one.type === kind;
}
