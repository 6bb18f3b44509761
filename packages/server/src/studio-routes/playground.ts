import { PlaygroundPages, type Studio } from '@unroll/project/studio';
import {
  forecastRequest,
  playgroundCheck,
  playgroundWrite,
  type RowAnswer,
  trialRequest,
} from '@unroll/project/studio-contract';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import { eventAnswer } from './event-answer.ts';
import { playgroundQuery, readBody, readLanguage, readQuery } from './read-query.ts';

/** Changes of a node, tried on recorded rows, and written when told to. */
export function playgroundRoutes(studio: Studio): Hono {
  const app = new Hono();
  const pages = new PlaygroundPages(studio);
  app.get('/playground', (context) =>
    answered(context, studio, async () => await pages.page(readQuery(context.req, playgroundQuery))),
  );
  app.post('/playground/check', (context) =>
    answered(
      context,
      studio,
      async () => await pages.check(await readBody(context.req, playgroundCheck), readLanguage(context.req)),
    ),
  );
  app.post('/playground/rendered', (context) =>
    answered(context, studio, async () => await pages.rendered(await readBody(context.req, playgroundCheck))),
  );
  app.post('/playground/forecast', (context) =>
    answered(
      context,
      studio,
      async () => await pages.forecast(await readBody(context.req, forecastRequest), readLanguage(context.req)),
    ),
  );
  app.post('/playground/row', async (context) => {
    const asked = await readBody(context.req, playgroundCheck);
    return eventAnswer<RowAnswer>(context, studio, (tell, signal) => pages.row(asked, tell, signal));
  });
  app.post('/playground/runs', (context) =>
    answered(context, studio, async () => await pages.begin(await readBody(context.req, trialRequest))),
  );
  app.post('/playground/write', (context) =>
    answered(context, studio, async () => await pages.write(await readBody(context.req, playgroundWrite))),
  );
  return app;
}
