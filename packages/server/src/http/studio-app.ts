import type { Studio } from '@unroll/project/studio';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorBody, refusalAnswer } from '../studio-routes/answered.ts';
import { begunRoutes } from '../studio-routes/begun.ts';
import { chatRoutes } from '../studio-routes/chat.ts';
import { diffRoutes } from '../studio-routes/diff.ts';
import { evaluationRoutes } from '../studio-routes/evaluations.ts';
import { labelRoutes } from '../studio-routes/labels.ts';
import type { LiveStreams } from '../studio-routes/live.ts';
import { pageFiles } from '../studio-routes/page-files.ts';
import { playgroundRoutes } from '../studio-routes/playground.ts';
import { runRoutes } from '../studio-routes/runs.ts';
import { requireHost } from './guards.ts';
import { isLoopback } from './server-settings.ts';
import { guardWrites, requireToken } from './studio-guards.ts';

export interface StudioAppSettings {
  readonly host: string;
  readonly token: string;
  readonly isReadOnly: boolean;
  /** Of the built page, absolute. */
  readonly pageFolder: string;
}

const maxBytes = 4 * 2 ** 20;

/** The studio's routes and its page, behind what guards them. */
export function createStudioApp(studio: Studio, streams: LiveStreams, settings: StudioAppSettings): Hono {
  const app = new Hono();
  app.onError((error, context) => refusalAnswer(context, studio, error));
  app.use(async ({ header }, next) => {
    await next();
    header('x-content-type-options', 'nosniff');
    header('referrer-policy', 'no-referrer');
    header('cross-origin-resource-policy', 'same-origin');
  });
  const { host } = settings;
  if (isLoopback(host)) {
    const names = new Set(['localhost', '127.0.0.1', '::1', host.toLowerCase()]);
    app.use(requireHost(names, 'Only this machine is served here, by its own names.'));
  }
  app.use(requireToken(settings.token));
  app.use(guardWrites(settings.isReadOnly));
  app.use(
    bodyLimit({
      maxSize: maxBytes,
      onError: (context) => context.json(errorBody(`The body is larger than ${maxBytes} bytes.`, 'BodyTooLarge'), 413),
    }),
  );
  const routes = [
    runRoutes(studio),
    begunRoutes(studio),
    diffRoutes(studio),
    evaluationRoutes(studio),
    labelRoutes(studio),
    playgroundRoutes(studio),
    chatRoutes(studio),
    streams.routes(studio),
  ];
  for (const one of routes) app.route('/api/studio/v1', one);
  app.all('/api/*', (context) =>
    context.json(errorBody(`There is no ${context.req.method} ${context.req.path}.`, 'NoSuchRoute'), 404),
  );
  app.route('/', pageFiles(settings.pageFolder));
  return app;
}
