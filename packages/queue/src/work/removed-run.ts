import type { Database } from '../database/database.ts';

/** Whether somebody removed a run that was there; not where the database does not say. */
export async function isRemoved({ number }: { readonly number: number }, database: Database): Promise<boolean> {
  const sql = `SELECT 1 FROM ${database.schema}.run WHERE number = $1`;
  const found = await database.query(sql, [number]).catch(() => undefined);
  return found?.length === 0;
}

/** Does what a run needs. It may be removed at any time: what fails then is not needed any more, and keeps nobody from other runs. */
export async function unlessRemoved(
  run: { readonly number: number },
  database: Database,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(await isRemoved(run, database))) throw error;
  }
}
