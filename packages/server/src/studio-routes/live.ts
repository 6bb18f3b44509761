import type { Language, Studio } from '@unroll/project/studio';
import type { LiveEvent } from '@unroll/project/studio-contract';
import { Hono } from 'hono';
import { readLanguage } from './read-query.ts';

/** Milliseconds after which a stream on which nothing happens says that it is there. */
const heartbeatMs = 15_000;

/** Streams that are open; ended with the server. */
export class LiveStreams {
  private readonly open = new Set<() => void>();

  routes(studio: Studio): Hono {
    const app = new Hono();
    app.get('/events', ({ req }) => {
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
      return new Response(this.stream(studio, req.query('run'), readLanguage(req)), { headers });
    });
    return app;
  }

  endAll(): void {
    for (const end of this.open) end();
  }

  /** @param run of which alone it tells */
  private stream(studio: Studio, run: string | undefined, language: Language): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let end: () => void = () => undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        // A comment: the page knows then that it is heard from now on.
        write(': open\n\n');
        const listening = studio.listen(
          (event) => {
            if (isOf(event, run)) write(`data: ${JSON.stringify(event)}\n\n`);
          },
          { run, language },
        );
        const beat = setInterval(() => write(': here\n\n'), heartbeatMs);
        const stop = (): void => {
          clearInterval(beat);
          listening[Symbol.dispose]();
          this.open.delete(close);
        };
        const close = (): void => {
          stop();
          controller.close();
        };
        this.open.add(close);
        end = stop;
      },
      cancel: () => end(),
    });
  }
}

function isOf(event: LiveEvent, run: string | undefined): boolean {
  if (run === undefined)
    return event.type !== 'node' && event.type !== 'text' && event.type !== 'rows' && event.type !== 'work';
  if (event.type === 'labels') return true;
  return (event.type === 'run' ? event.run.id : event.run) === run;
}
