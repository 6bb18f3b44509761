import { thrownText } from '@unroll/engine';
import type { Database } from '../database/database.ts';
import { isOutOfRoom } from '../database/database-failure.ts';
import { persistently } from '../database/persistently.ts';
import { addNote, type RunWork } from '../work/index.ts';

/** Said of a run once in so long. */
const againMs = 60_000;

interface WatchSettings {
  /** Of this worker. */
  readonly name: string;
  readonly onLine: (line: string) => void;
}

/**
 * What hears of every commit that is tried again: where PostgreSQL has no room for it, this worker says so at once, and whoever follows the
 * run hears it once there is room for a note.
 */
export function roomWatch({ name, onLine }: WatchSettings, database: Database): (error: unknown, run: RunWork) => void {
  const said = new Map<string, number>();
  return (error, run) => {
    const now = performance.now();
    if (!isOutOfRoom(error) || now - (said.get(run.id) ?? Number.NEGATIVE_INFINITY) < againMs) return;
    said.set(run.id, now);
    const reason = thrownText(error);
    onLine(`PostgreSQL takes no records of run ${run.id}, and is asked again: ${reason}`);
    const note = `PostgreSQL took no records of worker ${name} for a while, and was asked again: ${reason}`;
    // Where there is room for no note either, the worker has said it.
    persistently(() => addNote(run, note, database)).catch(() => undefined);
  };
}
