import { promisify } from 'node:util';
import { traceHeaders } from '@unroll/engine/values';
import type { Dispatcher } from 'undici';
import { AnswerTooLarge, CountedBytes, usualMostBytes } from './answer-limit.ts';
import { checkProxies, openDispatcher } from './dispatcher.ts';
import { loadUndici } from './load-undici.ts';

export type Fetch = typeof globalThis.fetch;

/** What our `fetch` takes beside the options of others. */
export interface FetchLimits {
  /** Bytes of the answer, unpacked, that are taken; the usual limit where absent. */
  readonly maxBytes?: number;
}

/**
 * The door to undici: `fetch` as far as clients of services use it, over `request`, which keeps connections open and
 * costs about half of undici's own `fetch`. No redirects are followed: services do not answer with them. The trace that a
 * request belongs to goes with it. Loaded when first used.
 *
 * @throws PrepareError where `HTTP_PROXY` or `HTTPS_PROXY` hold no address of a proxy
 */
export async function openFetch(): Promise<Fetch> {
  checkProxies();
  return async (input, options = {}) => {
    const { method = 'GET', headers, body, signal, maxBytes = usualMostBytes } = options as RequestInit & FetchLimits;
    try {
      const { Headers } = await loadUndici();
      const dispatcher = await openDispatcher();
      const { origin, pathname, search } = new URL(String(input));
      const answer = await dispatcher.request({
        origin,
        path: `${pathname}${search}`,
        method: method as Dispatcher.HttpMethod,
        headers: { ...traceHeaders(), ...plain(headers, Headers) },
        ...(body === undefined || body === null ? {} : { body: body as string }),
        ...(signal === undefined || signal === null ? {} : { signal }),
      });
      return await answerOf(answer, maxBytes);
    } catch (cause) {
      throw notFetched(cause, signal);
    }
  };
}

/** By their names in small letters. */
function plain(given: RequestInit['headers'], OurHeaders: typeof Headers): Readonly<Record<string, string>> {
  const isRead = given !== undefined && 'getSetCookie' in given;
  return Object.fromEntries(isRead ? (given as Headers) : new OurHeaders(given));
}

function notFetched(cause: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause });
}

const noBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Server-sent events, and lines of JSON as Ollama streams them. */
const inParts = /^(text\/event-stream|application\/x-ndjson)/;

/** What is streamed is handed on as it comes; any other answer is read first, so that a broken one fails the request. */
async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Response> {
  if (inParts.test(String(headers['content-type']))) {
    const { Readable } = await import('node:stream');
    const { Headers, Response } = await loadUndici();
    const events = Readable.toWeb(Readable.from(counted(body, maxBytes))) as ReadableStream<Uint8Array>;
    return new Response(events, { status: statusCode, headers: given(headers, new Headers()) });
  }
  return await responseOf(statusCode, headers, await bytesOf(body, maxBytes), maxBytes);
}

async function* counted(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const count = new CountedBytes(maxBytes);
  for await (const part of body) {
    count.add(part.byteLength);
    yield part;
  }
}

/** @throws AnswerTooLarge */
export async function bytesOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const count = new CountedBytes(maxBytes);
  const parts: Uint8Array[] = [];
  for await (const part of body) {
    count.add(part.byteLength);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A `Response` of what was read. @throws AnswerTooLarge where it holds more once it is unpacked */
async function responseOf(
  status: number,
  headers: AnswerHeaders,
  read: Uint8Array,
  maxBytes: number,
): Promise<Response> {
  if (status < 200 || status > 599) throw new UnknownStatus(status);
  const { Headers, Response } = await loadUndici();
  const options = { status, headers: given(headers, new Headers()) };
  if (noBody.has(status)) return new Response(null, options);
  const bytes = await decoded(read, options.headers.get('content-encoding'), maxBytes);
  return new Response(bytes as Uint8Array<ArrayBuffer>, options);
}

/** A status that no `Response` may have. */
class UnknownStatus extends Error {
  readonly code = 'HPE_INVALID_STATUS';

  constructor(status: number) {
    super(`the service answered with the status ${status}, which HTTP does not know`);
  }
}

/** By their names in small letters. */
type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

function given(headers: AnswerHeaders, all: Headers): Headers {
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) all.append(name, one);
  }
  return all;
}

/** Nothing asks for a packed answer; a proxy may pack one all the same. @throws AnswerTooLarge */
export async function decoded(bytes: Uint8Array, encoding: string | null, maxBytes: number): Promise<Uint8Array> {
  if (encoding === null || encoding === 'identity') return bytes;
  const { brotliDecompress, unzip } = await import('node:zlib');
  const unpack = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(
    encoding === 'br' ? brotliDecompress : unzip,
  );
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new AnswerTooLarge(maxBytes);
    throw thrown;
  }
}
