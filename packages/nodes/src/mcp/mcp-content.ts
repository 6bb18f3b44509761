import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { depthMessage, Float, isTooDeep, type JsonObject } from '@unroll/engine';

export interface McpContent {
  readonly isError: boolean;
  readonly parts: readonly { readonly type: string; readonly text?: string }[];
  /** The answer as data, beside its texts or in their place. */
  readonly data?: JsonObject;
}

/** Where an answer stands that is none of the revision that is spoken here: the first revision's, and a task that goes on. */
const otherAnswers = ['toolResult', 'task'];

/** @throws Error where it is nested too deep, or stands where the official client does not look for it */
export function contentOf(answer: CallToolResult): McpContent {
  const { isError, content, structuredContent: data } = answer;
  if (isTooDeep(answer)) throw new Error(`its answer is ${depthMessage()}`);
  const other = otherAnswers.find((name) => name in answer);
  if (content.length === 0 && data === undefined && other !== undefined) {
    throw new Error(`it answered with ${other}, which is not read here: expected content or structuredContent`);
  }
  return { isError: isError === true, parts: content, ...(data === undefined ? {} : { data: data as JsonObject }) };
}

/** Whether a number in it may be another than the one that was written: the official client reads all of them as doubles. */
export function mayBeInexact(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return typeof value === 'object' && value !== null && Object.values(value).some(mayBeInexact);
}

/**
 * Arguments as the official client writes them with every digit.
 *
 * @throws Error for a number that JSON does not have
 */
export function exactArguments(given: JsonObject): Record<string, unknown> {
  return exact(given, 'the arguments') as Record<string, unknown>;
}

function exact(value: unknown, place: string): unknown {
  if (typeof value === 'bigint') return rawJson(String(value));
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${place} cannot be sent: JSON has no ${value}`);
  }
  if (typeof value !== 'object' || value === null || value instanceof Float) return value;
  if (Array.isArray(value)) return value.map((item) => exact(item, place));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, exact(item, name)]));
}

function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
