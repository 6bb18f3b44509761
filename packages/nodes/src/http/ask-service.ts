import { isUtf8 } from 'node:buffer';
import type { ServiceDetails } from '@unroll/engine';
import { causeOf } from './cause-of.ts';
import { openFetch } from './fetch.ts';
import { hostOf } from './quoted.ts';
import { serviceDetails } from './service-details.ts';
import { NoUtf8 } from './utf8.ts';

/** An answer of a service as far as tools look at it. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export type HttpResult = { readonly ok: true; readonly answer: HttpAnswer } | NoAnswer;

/** No answer: class and message of what happened. */
export interface NoAnswer {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  /** Whether the next try may get one. */
  readonly retryable: boolean;
  readonly service: ServiceDetails;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** One request over http or https; never rejects. */
export async function askService({ url, ...options }: HttpRequest): Promise<HttpResult> {
  try {
    const fetch = await openFetch();
    const response = await fetch(url, options);
    const { status } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    // The words of a refusal may be told as they can be read; an answer is used as it is.
    if (status < 300 && !isUtf8(bytes)) return noText(url, status);
    return { ok: true, answer: { status, text: bytes.toString('utf8') } };
  } catch (thrown) {
    return noAnswer(thrown, url);
  }
}

function noText(url: string, status: number): NoAnswer {
  const service = serviceDetails({ host: hostOf(url), status });
  return { ok: false, code: 'UnusableAnswer', message: NoUtf8.told, retryable: true, service };
}

/** Whether what a service refused with this status, it may grant later. */
export function maySucceedLater(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** What a client threw, as a value. */
export function noAnswer(thrown: unknown, url: string): NoAnswer {
  const { code, message, retryable } = causeOf(thrown);
  const { cause = thrown } = thrown as { readonly cause?: unknown };
  return {
    ok: false,
    code: code ?? (cause as Error).name ?? 'Error',
    message,
    retryable,
    service: serviceDetails({ host: hostOf(url), errno: code }),
  };
}

/** undefined where the text is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
