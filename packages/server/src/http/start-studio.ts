import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Studio } from '@unroll/project/studio';
import { LiveStreams } from '../studio-routes/live.ts';
import { closed, listening, urlOf } from './listen.ts';
import { refuseExpectation, refuseUnaddressed, refuseUnread } from './refuse-unread.ts';
import { createStudioApp } from './studio-app.ts';

export interface StudioServerSettings {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly isReadOnly: boolean;
  /** Of the built page, absolute. */
  readonly pageFolder: string;
}

/** A studio that listens. */
export interface StudioServer extends AsyncDisposable {
  /** `http://127.0.0.1:4821`. */
  readonly url: string;
  /** What opens it; in no log. */
  readonly token: string;
}

/**
 * Serves the studio until it is closed; the studio itself is closed by who opened it.
 *
 * @throws ProjectFailure where the address cannot be taken
 */
export async function startStudio(studio: Studio, settings: StudioServerSettings): Promise<StudioServer> {
  const token = randomBytes(24).toString('base64url');
  const streams = new LiveStreams();
  const app = createStudioApp(studio, streams, { ...settings, token });
  const server = createServer(
    { requireHostHeader: false },
    getRequestListener(app.fetch, { errorHandler: refuseUnaddressed }),
  );
  server.on('clientError', refuseUnread);
  server.on('checkExpectation', refuseExpectation);
  await listening(server, settings);
  return {
    url: urlOf(server),
    token,
    [Symbol.asyncDispose]: async () => {
      streams.endAll();
      await closed(server);
    },
  };
}
