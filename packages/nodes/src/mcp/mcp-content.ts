import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { depthMessage, Float, isTooDeep, type JsonObject } from '@unroll/engine';

export interface McpContent {
  readonly isError: boolean;
  readonly parts: readonly McpPart[];
  /** The answer as data, beside its texts or in their place. */
  readonly data?: JsonObject;
}

interface McpPart {
  /** What a model reads of it; of a picture, a sound or bytes that they are left out. */
  readonly text: string;
  readonly isLeftOut: boolean;
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
  return {
    isError: isError === true,
    parts: content.map(partOf),
    ...(data === undefined ? {} : { data: data as JsonObject }),
  };
}

/** By the revision 2025-11-25 of the Model Context Protocol ("Tools", Tool Result). */
function partOf(content: CallToolResult['content'][number]): McpPart {
  switch (content.type) {
    case 'text':
      return { text: content.text, isLeftOut: false };
    case 'resource_link': {
      const { uri, name, title, description, mimeType } = content;
      return { text: JSON.stringify({ uri, name, title, description, mimeType }), isLeftOut: false };
    }
    case 'resource':
      return 'text' in content.resource
        ? { text: content.resource.text, isLeftOut: false }
        : leftOut(content.resource.mimeType ?? content.resource.uri, content.resource.blob);
    case 'image':
    case 'audio':
      return leftOut(content.mimeType, content.data);
  }
}

/** @param data in base64 */
function leftOut(what: string, data: string): McpPart {
  return { text: `(${what}, ${Buffer.byteLength(data, 'base64')} bytes, left out: no text)`, isLeftOut: true };
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
