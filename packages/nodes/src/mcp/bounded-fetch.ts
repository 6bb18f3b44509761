import { setTimeout } from 'node:timers/promises';
import type { Fetch } from '../http/fetch.ts';

/** Lines of one stream of events, of which a message takes two: many small ones cost more than few large ones. */
const mostLines = 20_000;
/** How often streams that broke off are asked for again while a server is connected, */
const mostResumed = 100;
/** and milliseconds before each time, whatever the server says. */
const resumedAfterMs = 1000;

/**
 * `fetch` for a server that may be hostile: its streams of events end, and a stream that breaks off again and again is not
 * asked for without end. What a server would say unasked is not listened to.
 */
export function boundedFetch(fetch: Fetch): Fetch {
  let resumed = 0;
  return async (input, options = {}) => {
    if (options.method === 'GET') {
      if (!new Headers(options.headers).has('last-event-id')) return new Response(null, { status: 405 });
      resumed += 1;
      if (resumed > mostResumed) throw new Error(`its streams broke off more than ${mostResumed} times`);
      await setTimeout(resumedAfterMs, undefined, {
        ref: false,
        ...(options.signal ? { signal: options.signal } : {}),
      });
    }
    return withFewLines(await fetch(input, options));
  };
}

function withFewLines(response: Response): Response {
  const { body, headers, status } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || body === null) return response;
  let lines = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      for (let at = part.indexOf(lineEnd); at !== -1; at = part.indexOf(lineEnd, at + 1)) lines += 1;
      if (lines > mostLines) controller.error(new Error(`a stream of more than ${mostLines} lines`));
      else controller.enqueue(part);
    },
  });
  return new Response(body.pipeThrough(counted), { status, headers });
}

const lineEnd = 0x0a;
