import { type JsonValue, jsonIn, type NodeError } from '@unroll/engine';

/** What AWS Lambda's Invoke API answered. */
export interface LambdaResponse {
  readonly status: number;
  /** Value of `X-Amz-Function-Error`: the header alone decides whether the function failed. */
  readonly functionError?: string | undefined;
  readonly body: string;
}

/** Text for the model, or why the call ends abnormally. */
export type ToolText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: NodeError };

/**
 * Reads the answer of a user program. It must be `{"content": [{"type": "text", "text": …}]}` with exactly one element;
 * a JSON text that holds such a JSON text is unwrapped once. Where the function failed, only its `errorMessage` goes to
 * the model, or nothing when `raiseFunctionError`.
 */
export function readLambdaResponse({ functionError, body }: LambdaResponse, raiseFunctionError: boolean): ToolText {
  const parsed = jsonIn(body);
  if (functionError !== undefined) return readFunctionError(parsed, functionError, raiseFunctionError);
  const unwrapped = typeof parsed === 'string' ? jsonIn(parsed) : parsed;
  const text = optionalText(unwrapped);
  if (text !== undefined) return { ok: true, text };
  return failedText(
    'UNEXPECTED_RESPONSE',
    'the function answered in another form than {"content":[{"type":"text","text":…}]}',
  );
}

function readFunctionError(parsed: JsonValue | undefined, kind: string, raise: boolean): ToolText {
  const message = member(parsed, 'errorMessage');
  const type = member(parsed, 'errorType');
  if (!raise && typeof message === 'string') return { ok: true, text: message };
  const named = typeof type === 'string' ? ` (${type})` : '';
  return failedText('FUNCTION_ERROR', `the function ended with an error: ${kind}${named}`);
}

function optionalText(value: JsonValue | undefined): string | undefined {
  const content = member(value, 'content');
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [element] = content as readonly JsonValue[];
  const text = member(element, 'text');
  return member(element, 'type') === 'text' && typeof text === 'string' ? text : undefined;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}

function failedText(code: string, message: string): ToolText {
  return { ok: false, error: { code, message, retryable: false } };
}
