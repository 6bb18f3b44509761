import type { Queryable } from '../database/database.ts';
import { givenText, storedText } from '../database/stored-text.ts';
import type { RunWork } from './run-work.ts';

type InSchema = Queryable & { readonly schema: string };

/** Tells whoever follows a run. */
export async function addNote({ number }: RunWork, message: string, within: InSchema): Promise<void> {
  await within.query(`INSERT INTO ${within.schema}.work_note (run, message) VALUES ($1, $2)`, [
    number,
    storedText(message),
  ]);
}

interface WorkNote {
  readonly number: number;
  readonly message: string;
}

/** In their order. @param after number of the last one that is known, 0 for all */
export async function notesAfter({ number }: RunWork, after: number, from: InSchema): Promise<readonly WorkNote[]> {
  const sql = `SELECT number, message FROM ${from.schema}.work_note WHERE run = $1 AND number > $2 ORDER BY number`;
  const notes = await from.query<WorkNote>(sql, [number, after]);
  return notes.map((note) => ({ ...note, message: givenText(note.message) }));
}
