import { DiffPages, type Studio } from '@unroll/project/studio';
import { Hono, type HonoRequest } from 'hono';
import type * as z from 'zod';
import { answered } from './answered.ts';
import {
  diffQuery,
  diffRowQuery,
  diffRowsQuery,
  readLanguage,
  readQuery,
  readSeveralOfDiff,
  severalOfDiff,
} from './read-query.ts';

/** What two runs differ in. */
export function diffRoutes(studio: Studio): Hono {
  const app = new Hono();
  const pages = new DiffPages(studio);
  app.get('/diff', (context) =>
    answered(context, studio, async () => await pages.page(readDiff(context.req, diffQuery))),
  );
  app.get('/diff/rows', (context) =>
    answered(context, studio, async () => await pages.rows(readDiff(context.req, diffRowsQuery))),
  );
  app.get('/diff/row', (context) =>
    answered(context, studio, async () => await pages.row(readDiff(context.req, diffRowQuery))),
  );
  return app;
}

function readDiff<Schema extends z.ZodObject>(request: HonoRequest, schema: Schema) {
  const language = readLanguage(request);
  return { ...readQuery(request, schema, severalOfDiff), ...readSeveralOfDiff(request), language };
}
