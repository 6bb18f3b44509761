import { setTimeout } from 'node:timers/promises';
import { causeOf } from '../http/cause-of.ts';
import type { Fetch } from '../http/fetch.ts';
import { NoUtf8, Utf8Parts, utf8Text } from '../http/utf8.ts';
import { askedNow } from './asked-in-time.ts';
import { EventLines } from './event-lines.ts';

/** How often streams that broke off are asked for again while a server is connected, */
const maxResumed = 100;
/** and milliseconds before each time, whatever the server says. */
export const resumedAfterMs = 1000;

/**
 * `fetch` for a server that may be hostile: its streams of events end, and a stream that breaks off again and again is not
 * asked for without end. What a server would say unasked is not listened to. A stream that cannot be read fails what was asked
 * at once.
 *
 * @param onWait told a longer wait that a server asks for, in milliseconds
 */
export function boundedFetch(fetch: Fetch, onWait: (milliseconds: number) => void): Fetch {
  let resumed = 0;
  return async (input, options = {}) => {
    if (options.method === 'GET') {
      if (!new Headers(options.headers).has('last-event-id')) return new Response(null, { status: 405 });
      resumed += 1;
      if (resumed > maxResumed) throw new Error(`its streams broke off more than ${maxResumed} times`);
      await setTimeout(resumedAfterMs, undefined, {
        ref: false,
        ...(options.signal ? { signal: options.signal } : {}),
      });
    }
    return readable(
      await fetch(input, options),
      (milliseconds) => milliseconds > resumedAfterMs && onWait(milliseconds),
    );
  };
}

/** An answer that is UTF-8; of an event stream its lines. @throws NoUtf8 */
async function readable(response: Response, onWait: (milliseconds: number) => void): Promise<Response> {
  const { body, headers, status, ok } = response;
  if (body === null || !ok) return response;
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return new Response(utf8Text(new Uint8Array(await response.arrayBuffer())), { status, headers });
  }
  const events = ReadableStream.from(readEvents(body as AsyncIterable<Uint8Array>, new EventLines(onWait), askedNow()));
  return new Response(events as unknown as ReadableStream<Uint8Array>, { status, headers });
}

async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  lines: EventLines,
  fail: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  const parts = new Utf8Parts();
  try {
    for await (const part of body) yield Buffer.from(lines.push(parts.text(part)));
    parts.end();
  } catch (error) {
    // The client asks for the rest of a stream that broke off, where it can.
    const brokeOff = causeOf(error).retryable && !(error instanceof NoUtf8);
    if (!(brokeOff && lines.canGoOn)) fail(error as Error);
    throw error;
  }
}
