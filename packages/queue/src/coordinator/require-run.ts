import { nearestName } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { findRunWork, type RunWork } from '../work/index.ts';

/**
 * The run a user names: by its id, or the start of one.
 *
 * @throws ProjectFailure with the nearest name when there is none, or several
 */
export async function requireRun(given: string, database: Database): Promise<RunWork> {
  const found = await findRunWork(given, database);
  if (found !== undefined) return found;
  const { schema, shown } = database;
  const sql = `SELECT r.id FROM ${schema}.run_work w JOIN ${schema}.run r ON r.number = w.run ORDER BY w.run DESC LIMIT 1000`;
  const ids = (await database.query<{ readonly id: string }>(sql)).map(({ id }) => id);
  const [match, ...others] = ids.filter((id) => id.startsWith(given));
  if (match !== undefined && others.length === 0) return await requireRun(match, database);
  if (match !== undefined) {
    throw new ProjectFailure(`${others.length + 1} runs start with ${given}`, { help: [match, ...others].join('\n') });
  }
  const nearest = nearestName(given, ids);
  throw new ProjectFailure(`there is no run ${given} on workers at ${shown}`, {
    code: 'RunNotFound',
    help: nearest === undefined ? undefined : `Did you mean ${nearest}?`,
  });
}
