import { DiffPages, type Studio } from '@unroll/project/studio';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import { diffQuery, diffRowQuery, diffRowsQuery, readQuery } from './read-query.ts';

/** What two runs differ in. */
export function diffRoutes(studio: Studio): Hono {
  const app = new Hono();
  const pages = new DiffPages(studio);
  app.get('/diff', (context) =>
    answered(context, studio, async () => await pages.page(readQuery(context.req, diffQuery))),
  );
  app.get('/diff/rows', (context) =>
    answered(context, studio, async () => await pages.rows(readQuery(context.req, diffRowsQuery))),
  );
  app.get('/diff/row', (context) =>
    answered(context, studio, async () => await pages.row(readQuery(context.req, diffRowQuery))),
  );
  return app;
}
