import type { Studio } from '@unroll/project/studio';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import {
  readFilters,
  readLanguage,
  readPlace,
  readQuery,
  rowQuery,
  rowsQuery,
  runQuery,
  runsQuery,
} from './read-query.ts';

/** What is recorded: runs, a run, its rows, a row. */
export function runRoutes(studio: Studio): Hono {
  const app = new Hono();
  app.get('/session', (context) => answered(context, studio, async () => studio.session()));
  app.get('/runs', (context) =>
    answered(
      context,
      studio,
      async () => await studio.runs({ ...readQuery(context.req, runsQuery), language: readLanguage(context.req) }),
    ),
  );
  app.get('/runs/:run', (context) =>
    answered(context, studio, async () => {
      const lens = { ...readQuery(context.req, runQuery), language: readLanguage(context.req) };
      return await studio.run(context.req.param('run'), lens);
    }),
  );
  app.get('/runs/:run/rows', (context) =>
    answered(context, studio, async () => {
      const { fresh, ...query } = readQuery(context.req, rowsQuery, ['filter']);
      const filters = readFilters(context.req);
      return await studio.rows(context.req.param('run'), { ...query, filters, isFresh: fresh === 'true' });
    }),
  );
  app.get('/runs/:run/rows/:line/:repeat', (context) =>
    answered(context, studio, async () => {
      const language = readLanguage(context.req);
      const query = { ...readQuery(context.req, rowQuery, ['filter']), filters: readFilters(context.req), language };
      return await studio.row(context.req.param('run'), readPlace(context.req), query);
    }),
  );
  app.get('/runs/:run/rows/:line/:repeat/values/:ref', (context) =>
    answered(context, studio, async () => {
      const { run, ref } = context.req.param();
      return await studio.value(run, readPlace(context.req), ref);
    }),
  );
  return app;
}
