import { LabelsPages, type Studio } from '@unroll/project/studio';
import { expectationChange, labelChange } from '@unroll/project/studio-contract';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import { labelsQuery, readBody, readLanguage, readQuery } from './read-query.ts';

/** Judgements of people, kept beside the data. */
export function labelRoutes(studio: Studio): Hono {
  const app = new Hono();
  const pages = new LabelsPages(studio);
  app.get('/labels', (context) =>
    answered(
      context,
      studio,
      async () => await pages.page({ ...readQuery(context.req, labelsQuery), language: readLanguage(context.req) }),
    ),
  );
  app.put('/labels', (context) =>
    answered(
      context,
      studio,
      async () => await pages.change(await readBody(context.req, labelChange), readLanguage(context.req)),
    ),
  );
  app.post('/labels/expectation', (context) =>
    answered(context, studio, async () => await pages.expect(await readBody(context.req, expectationChange))),
  );
  return app;
}
