import type { NodeError } from '@unroll/engine';
import type { awsCredentials } from '../../aws/aws-credentials.ts';
import { requireExtra } from '../../extras/extras.ts';
import { awsHttpHandler } from '../../http/aws-http-handler.ts';
import { causeOf } from '../../http/cause-of.ts';
import { SizeLimitError } from '../../http/limited-body.ts';
import { limitedHandler } from '../../http/limited-handler.ts';
import { NoUtf8 } from '../../http/utf8.ts';
import type { LambdaResponse } from './read-response.ts';

/** Largest answer a tool may give, in bytes: 80 KB of the manual, read as 80 × 1024. */
export const responseLimit = 81_920;

/** The client's limit for the whole call, body included, in milliseconds: fixed at 90 s by the manual. */
export const callTimeoutMs = 90_000;

export interface LambdaTarget {
  /** Name, `name:qualifier` or ARN, qualified or not. */
  readonly functionName: string;
  /** Where it is not written, AWS's own rules find it: `AWS_REGION`, the profile. */
  readonly region?: string;
  /** Another address than AWS's own. */
  readonly endpoint?: string;
  /** Section of AWS's own files. */
  readonly profile?: string;
  readonly credentials?: ReturnType<typeof awsCredentials>;
}

export type LambdaInvocation =
  | { readonly ok: true; readonly response: LambdaResponse; readonly requestId: string | undefined }
  | { readonly ok: false; readonly error: NodeError; readonly requestId: string | undefined };

/**
 * Calls a user program once: `POST /2015-03-31/functions/{name}/invocations`, synchronous. Never a second time, since
 * a program that may have run must not run again; throttled and failed calls are told as they are.
 *
 * @param payload JSON text of the arguments
 * @param sizeLimit largest answer that is taken, in bytes
 */
export async function invokeLambda(
  target: LambdaTarget,
  payload: string,
  signal: AbortSignal,
  timeoutMs: number = callTimeoutMs,
  sizeLimit: number = responseLimit,
): Promise<LambdaInvocation> {
  requireExtra('lambda');
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const requestHandler = limitedHandler(await awsHttpHandler(), sizeLimit);
  const timeout = AbortSignal.timeout(timeoutMs);
  const client = new LambdaClient({
    maxAttempts: 1,
    requestHandler,
    ...(target.region === undefined ? {} : { region: target.region }),
    ...(target.profile === undefined ? {} : { profile: target.profile }),
    ...(target.endpoint === undefined ? {} : { endpoint: target.endpoint }),
    ...(target.credentials === undefined ? {} : { credentials: target.credentials }),
  });
  try {
    const command = new InvokeCommand({
      FunctionName: target.functionName,
      InvocationType: 'RequestResponse',
      Payload: Buffer.from(payload),
    });
    const answer = await client.send(command, { abortSignal: AbortSignal.any([signal, timeout]) });
    const body = Buffer.from(answer.Payload ?? []).toString('utf8');
    const { StatusCode: status = 0, FunctionError: functionError } = answer;
    return { ok: true, response: { status, functionError, body }, requestId: answer.$metadata.requestId };
  } catch (thrown) {
    return { ok: false, ...failureOf(thrown, timeout.aborted ? timeoutMs : undefined, signal.aborted) };
  } finally {
    client.destroy();
  }
}

function failureOf(
  thrown: unknown,
  timeoutMs: number | undefined,
  isCanceled: boolean,
): { readonly error: NodeError; readonly requestId: string | undefined } {
  const { message, $metadata: metadata } = thrown as Error & {
    readonly $metadata?: { readonly requestId?: string; readonly httpStatusCode?: number };
  };
  const requestId = metadata?.requestId;
  if (thrown instanceof NoUtf8) {
    return { error: { code: 'BINARY_RESULT', message: NoUtf8.told, retryable: false }, requestId };
  }
  if (thrown instanceof SizeLimitError) {
    return { error: { code: 'TOO_LARGE', message: thrown.told, retryable: false }, requestId };
  }
  if (isCanceled) return { error: { code: 'CANCELED', message: 'the run was stopped', retryable: true }, requestId };
  if (timeoutMs !== undefined) {
    const message = `the function did not answer within ${timeoutMs / 1000} s`;
    return { error: { code: 'TIMEOUT', message, retryable: false }, requestId };
  }
  if (message === 'Region is missing') {
    const message = 'nobody says in which region the function lies: write region, in the tool or its connection';
    return { error: { code: 'INVOKE_ERROR', message, retryable: false }, requestId };
  }
  return { error: serviceError(thrown, metadata?.httpStatusCode), requestId };
}

function serviceError(thrown: unknown, status: number | undefined): NodeError {
  const { name, message } = thrown as Error;
  const named = (text: string): string => (name === 'Error' || name === '' ? text : `${name}: ${text}`);
  if (status !== undefined) {
    const retryable = status === 429 || status >= 500;
    return { code: 'INVOKE_ERROR', message: `${named(message)} (HTTP ${status})`, retryable, service: { status } };
  }
  const { code: errno, message: reason, retryable } = causeOf(thrown);
  const service = errno === undefined ? {} : { service: { errno } };
  return { code: 'INVOKE_ERROR', message: named(reason), retryable, ...service };
}
