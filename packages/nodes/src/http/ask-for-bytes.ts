import { traceHeaders } from '@unroll/engine/values';
import { type NoAnswer, noAnswer } from './ask-service.ts';
import { openDispatcher } from './dispatcher.ts';
import { bytesOf, decoded } from './fetch.ts';

export interface BytesRequest {
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Of the answer, unpacked. More is not read: the connection is given up. */
  readonly maxBytes: number;
}

export type BytesResult =
  | {
      readonly ok: true;
      readonly status: number;
      readonly type: string;
      readonly bytes: Uint8Array;
      /** Where a redirect leads. */
      readonly location?: string;
    }
  | NoAnswer;

/** One request whose answer is read up to a limit; follows no redirects, never rejects. */
export async function askForBytes(asked: BytesRequest): Promise<BytesResult> {
  const { url, method, headers, body, signal, maxBytes } = asked;
  try {
    const dispatcher = await openDispatcher();
    const { origin, pathname, search } = new URL(url);
    const answer = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: method as 'GET',
      headers: { ...traceHeaders(), ...trimmed(headers) },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    const { 'content-type': type = '', 'content-encoding': encoding, location } = answer.headers;
    const packed = await bytesOf(answer.body, maxBytes);
    const bytes = await decoded(packed, encoding === undefined ? null : String(encoding), maxBytes);
    const read = { ok: true, status: answer.statusCode, type: String(type), bytes } as const;
    return location === undefined ? read : { ...read, location: String(location) };
  } catch (thrown) {
    const failed = noAnswer(thrown, url);
    if (failed.code !== 'ANSWER_TOO_LARGE') return failed;
    return { ...failed, code: 'TOO_LARGE', message: `the service answered more than ${maxBytes} bytes` };
  }
}

/** Blanks around a value are no part of it, as for `fetch`: a key read from a file ends with a line break. */
function trimmed(headers: BytesRequest['headers']): BytesRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.trim()]));
}
