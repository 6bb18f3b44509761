import type { Studio } from '@unroll/project/studio';
import type { Context } from 'hono';
import { errorAnswerOf } from './answered.ts';

/** What a stream of events ends with where the work failed. */
interface FailedEvent {
  readonly type: 'failed';
  readonly error: ReturnType<typeof errorAnswerOf>['error'];
}

/**
 * Answers with what happens while work is done, as server-sent events; who goes away stops it.
 *
 * @param work tells events and ends when all is done; `signal` is aborted where nobody listens any more
 */
export function eventAnswer<Event extends object>(
  context: Context,
  studio: Studio,
  work: (tell: (event: Event) => void, signal: AbortSignal) => Promise<void>,
): Response {
  const encoder = new TextEncoder();
  const left = new AbortController();
  context.req.raw.signal.addEventListener('abort', () => left.abort(), { once: true });
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const tell = (event: Event | FailedEvent): void => {
        if (!left.signal.aborted) controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
      };
      try {
        await work(tell, left.signal);
      } catch (error) {
        tell({ type: 'failed', error: errorAnswerOf(studio, error).error });
      }
      if (!left.signal.aborted) controller.close();
    },
    cancel: () => left.abort(),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
}
