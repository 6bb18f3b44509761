import type { Studio } from '@unroll/project/studio';
import { runControl, runMarks, runRequest } from '@unroll/project/studio-contract';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import { readBody, readLanguage } from './read-query.ts';

/** What changes runs: begun, stopped, gone on with, named, removed. */
export function begunRoutes(studio: Studio): Hono {
  const app = new Hono();
  app.post('/runs', (context) =>
    answered(context, studio, async () => await studio.begun.begin(await readBody(context.req, runRequest))),
  );
  app.post('/runs/forecast', (context) =>
    answered(
      context,
      studio,
      async () => await studio.begun.forecast(await readBody(context.req, runRequest), readLanguage(context.req)),
    ),
  );
  app.post('/runs/:run/control', (context) =>
    answered(context, studio, async () => {
      const asked = await readBody(context.req, runControl);
      const run = context.req.param('run');
      await studio.held.placeOf(run);
      return await studio.begun.control(run, asked);
    }),
  );
  app.patch('/runs/:run', (context) =>
    answered(
      context,
      studio,
      async () => await studio.mark(context.req.param('run'), await readBody(context.req, runMarks)),
    ),
  );
  app.delete('/runs/:run', (context) =>
    answered(context, studio, async () => {
      await studio.remove(context.req.param('run'));
      return {};
    }),
  );
  return app;
}
