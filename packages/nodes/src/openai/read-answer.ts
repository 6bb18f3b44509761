import type { JsonValue, ModelReply, Usage } from '@unroll/engine';
import * as z from 'zod';
import { shownJson } from '../http/quoted.ts';
import { endWarnings } from './end-warnings.ts';
import { type CountedUsage, readUsage } from './read-usage.ts';
import { firstIssue } from './schema-issue.ts';
import { withLogprobs } from './told-logprobs.ts';

/** An answer in OpenAI's wire format: what can be used of it, or why nothing can. */
export type ReadAnswer =
  | { readonly ok: true; readonly reply: ModelReply }
  | { readonly ok: false; readonly problem: AnswerProblem };

/** Why an answer cannot be used. */
export interface AnswerProblem {
  /** `APIError`: the service says so itself; `UnusableAnswer`: it answered something else than an answer. */
  readonly code: 'APIError' | 'UnusableAnswer';
  readonly message: string;
  readonly retryable: boolean;
  /** The answer as it came, for its words. */
  readonly body: unknown;
}

const text = z.string().nullish();
const called = z.looseObject({ name: z.string(), arguments: z.string() });
const toolCall = z.looseObject({ id: text, type: text, function: called.nullish() });
const contentPart = z.looseObject({ type: z.string() });

const message = z.looseObject({
  role: text,
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
  refusal: text,
  function_call: called.nullish(),
  tool_calls: z.array(toolCall).nullish(),
});

const chatAnswer = z.looseObject({
  choices: z.tuple([z.looseObject({ message, finish_reason: text })], z.unknown()),
  usage: z.unknown().optional(),
});
const completionAnswer = z.looseObject({
  choices: z.tuple([z.looseObject({ text: z.string(), finish_reason: text })], z.unknown()),
  usage: z.unknown().optional(),
});
/** Numbers of 32 bits. */
const packedNumbers = z
  .base64()
  .min(1)
  .refine((text) => Buffer.from(text, 'base64').length % 4 === 0);
const vector = z.union([z.array(z.number()).min(1), packedNumbers]);
const embeddingAnswer = z.looseObject({
  data: z.array(z.looseObject({ index: z.int().min(0).optional(), embedding: vector })).min(1),
  usage: z.unknown().optional(),
});

/** The answer of `/chat/completions`; its body is the message of the choice of index 0, as the service sent it. */
export function parseChatCompletion(body: unknown): ReadAnswer {
  const read = chatAnswer.safeParse(withFirstChoice(body));
  if (!read.success) return invalidAnswer(body, read.error);
  const [{ message: said, finish_reason: reason, logprobs }] = read.data.choices;
  const isEmpty = [said.content, said.refusal, said.tool_calls, said.function_call, said['audio']].every(isNothing);
  const warnings = endWarnings(reason, isEmpty);
  return withLogprobs(answered(messageOf(firstChoice(body)), read.data, warnings, body), logprobs);
}

/** The answer of `/completions`; its body is the text of the choice of index 0. */
export function parseCompletion(body: unknown): ReadAnswer {
  const read = completionAnswer.safeParse(withFirstChoice(body));
  if (!read.success) return invalidAnswer(body, read.error);
  const [{ text: said, finish_reason: reason, logprobs }] = read.data.choices;
  return withLogprobs(answered(said, read.data, endWarnings(reason, false), body), logprobs);
}

/**
 * The answer of `/embeddings`; its body is the first vector, `whole` all of them in the order of the texts.
 *
 * @param texts how many were sent: so many vectors are due, of one length
 */
export function parseEmbeddings(body: unknown, texts: number): ReadAnswer {
  const read = embeddingAnswer.safeParse(body);
  if (!read.success) return invalidAnswer(body, read.error);
  const indexed = read.data.data.map(({ index, embedding }, at) => ({
    index: index ?? at,
    vector: vectorOf(embedding),
  }));
  const sorted = indexed.toSorted((one, other) => one.index - other.index);
  const problem = vectorProblem(sorted, texts);
  if (problem !== undefined)
    return { ok: false, problem: { ...unusable(problem.message, body), retryable: !problem.isCount } };
  const vectors = sorted.map((one) => one.vector);
  const { usage, warnings } = countedTokens(read.data.usage);
  return { ok: true, reply: replyOf(vectors[0] ?? [], usage, warnings, texts > 1 ? vectors : undefined) };
}

interface IndexedVector {
  readonly index: number;
  readonly vector: readonly number[];
}

/** `isCount`: there are too few or too many, as there would be again. */
function vectorProblem(
  sorted: readonly IndexedVector[],
  texts: number,
): { readonly message: string; readonly isCount: boolean } | undefined {
  if (sorted.length !== texts || sorted.some(({ index }, at) => index !== at)) {
    const given = sorted.slice(0, 10).map(({ index }) => index);
    const message = `the service was sent ${texts} text${texts === 1 ? '' : 's'} and answered ${sorted.length}, of index ${given.join(', ')}`;
    return { message, isCount: true };
  }
  const length = sorted[0]?.vector.length ?? 0;
  if (sorted.every(({ vector: one }) => one.length === length && isDirection(one))) return undefined;
  const message =
    'the service answered vectors that are empty, of different lengths, all zero, or hold what is no number of 32 bits';
  return { message, isCount: false };
}

/** Whether a vector points anywhere once its numbers are of 32 bits, as they are kept. */
export function isDirection(vector: readonly unknown[]): boolean {
  const kept = vector.map((one) => (typeof one === 'number' ? Math.fround(one) : Number.NaN));
  return kept.every(Number.isFinite) && kept.some((one) => one !== 0);
}

export function unusable(text: string, body: unknown): AnswerProblem {
  return { code: 'UnusableAnswer', message: text, retryable: true, body };
}

/** An error within an answer, as some services tell it with HTTP 200; undefined where there is none. */
export function errorInAnswer(body: unknown): AnswerProblem | undefined {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  // Mistral and vLLM tell the error as the whole body.
  const error = given['object'] === 'error' ? given : given['error'];
  if (error === undefined || error === null || error === false) return undefined;
  const {
    message: said,
    code,
    type,
  } = (typeof error === 'object' ? error : { message: error }) as {
    readonly message?: unknown;
    readonly code?: unknown;
    readonly type?: unknown;
  };
  const named = [code, type].filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
  const words = typeof said === 'string' && said !== '' ? said : shownJson(error);
  return {
    code: 'APIError',
    message: `the service answered with an error${named.length === 0 ? '' : ` (${named.join(', ')})`}: ${words}`,
    retryable: !named.some(isLasting),
    body,
  };
}

/** Whether the same request would be refused again: its own fault, the key's, or a quota that is spent. */
function isLasting(name: string): boolean {
  if (/^4\d\d$/.test(name)) return !['408', '422', '429'].includes(name);
  return /invalid|unsupported|not_found|authentication|permission|insufficient_quota|content_filter|context_length/.test(
    name,
  );
}

/** The choice of index 0, wherever in the list it stands; the first listed where none is called so. */
export function firstChoice(body: unknown): unknown {
  const { choices } = (typeof body === 'object' && body !== null ? body : {}) as { readonly choices?: unknown };
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice) => (choice as { readonly index?: unknown } | null)?.index === 0) ?? choices[0];
}

/** The same answer with that choice alone, which is all that is read. */
function withFirstChoice(body: unknown): unknown {
  const first = firstChoice(body);
  return first === undefined ? body : { ...(body as object), choices: [first] };
}

/** As it was sent: a schema would put its own keys first. */
function messageOf(choice: unknown): JsonValue {
  return (choice as { readonly message: JsonValue }).message;
}

/** An answer of another form than was asked for, or the error it tells. */
export function invalidAnswer(body: unknown, error: z.ZodError): ReadAnswer {
  const problem = errorInAnswer(body);
  if (problem !== undefined) return { ok: false, problem };
  if (body === null || body === undefined || body === '') {
    return { ok: false, problem: unusable('the service answered nothing', body) };
  }
  const { choices } = body as { readonly choices?: unknown };
  const isWithoutChoice = Array.isArray(choices) && choices.length === 0;
  const found = isWithoutChoice ? '"choices" is an empty list' : firstIssue(error);
  return { ok: false, problem: unusable(`the answer cannot be used: ${found}`, body) };
}

/** @param whole as the service sent it */
export function answered(
  body: JsonValue,
  { usage: told }: { readonly usage?: unknown },
  warnings: readonly string[],
  whole: unknown,
): ReadAnswer {
  const read = countedTokens(told);
  return { ok: true, reply: replyOf(body, read.usage, [...warnings, ...read.warnings], whole as JsonValue) };
}

function countedTokens(usage: unknown): CountedUsage {
  if (usage !== undefined && usage !== null) return readUsage(usage);
  return { warnings: ['the service did not tell how many tokens it used: none are counted'] };
}

export function replyOf(
  body: JsonValue,
  usage: Usage | undefined,
  warnings: readonly string[],
  whole?: JsonValue,
): ModelReply {
  return {
    body,
    ...(usage === undefined ? {} : { usage }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(whole === undefined ? {} : { whole }),
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Numbers, or 32-bit floats in base64, which is what is asked for; not every service knows that form. */
function vectorOf(embedding: string | readonly number[]): readonly number[] {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
