import { evaluationPage, evaluationsPage, type Studio } from '@unroll/project/studio';
import { Hono } from 'hono';
import { answered } from './answered.ts';
import { badQuery, evaluationQuery, readLanguage, readQuery } from './read-query.ts';

const maxRuns = 8;

/** The evaluations of the folder, and what one of them says of runs. */
export function evaluationRoutes(studio: Studio): Hono {
  const app = new Hono();
  app.get('/evaluations', (context) => answered(context, studio, async () => await evaluationsPage(studio)));
  app.get('/evaluation', (context) =>
    answered(context, studio, async () => {
      const { path } = readQuery(context.req, evaluationQuery, ['run']);
      const runs = context.req.queries('run') ?? [];
      if (runs.length > maxRuns) throw badQuery(`run: at most ${maxRuns} can be set beside each other`);
      return await evaluationPage(path, runs, studio, readLanguage(context.req));
    }),
  );
  return app;
}
