import { promisify } from 'node:util';
import type { Dispatcher } from 'undici';
import { openDispatcher } from './dispatcher.ts';
import { loadUndici } from './load-undici.ts';

export type Fetch = typeof globalThis.fetch;

/**
 * The door to undici: `fetch` as far as clients of services use it, over `request`, which keeps connections open and
 * costs about half of undici's own `fetch`. No redirects are followed: services do not answer with them. Loaded when
 * first used.
 */
export async function openFetch(): Promise<Fetch> {
  return async (input, options = {}) => {
    const { method = 'GET', headers, body, signal } = options;
    try {
      const { Headers } = await loadUndici();
      const dispatcher = await openDispatcher();
      const { origin, pathname, search } = new URL(String(input));
      const answer = await dispatcher.request({
        origin,
        path: `${pathname}${search}`,
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: body as string }),
        ...(signal === undefined || signal === null ? {} : { signal }),
      });
      return await answerOf(answer);
    } catch (cause) {
      throw notFetched(cause, signal);
    }
  };
}

export function notFetched(cause: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause });
}

const noBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Events are handed on as they come; any other answer is read first, so that a broken one fails the request. */
async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    const { Readable } = await import('node:stream');
    const { Headers, Response } = await loadUndici();
    const events = Readable.toWeb(body) as ReadableStream<Uint8Array>;
    return new Response(events, { status: statusCode, headers: given(headers, new Headers()) });
  }
  return await responseOf(statusCode, headers, await body.bytes());
}

/** A `Response` of what was read. */
export async function responseOf(status: number, headers: AnswerHeaders, read: Uint8Array): Promise<Response> {
  const { Headers, Response } = await loadUndici();
  const options = { status, headers: given(headers, new Headers()) };
  if (noBody.has(status)) return new Response(null, options);
  const bytes = await decoded(read, options.headers.get('content-encoding'));
  return new Response(bytes as Uint8Array<ArrayBuffer>, options);
}

/** By their names in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

function given(headers: AnswerHeaders, all: Headers): Headers {
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) all.append(name, one);
  }
  return all;
}

/** Nothing asks for a packed answer; a proxy may pack one all the same. */
async function decoded(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  if (encoding === null || encoding === 'identity') return bytes;
  const { brotliDecompress, unzip } = await import('node:zlib');
  return await promisify(encoding === 'br' ? brotliDecompress : unzip)(bytes);
}
