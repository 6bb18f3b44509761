import { existsSync } from 'node:fs';
import { basename, join, win32 } from 'node:path';
import * as z from 'zod';

/** Prompt flow calls a run `<flow>_<variant>_<date>_<time>_<microseconds>` where nobody names it. */
const ownName = /^(.+?)(?:_(?:variant_\d+|default))?_\d{8}_\d{6}_\d{6}$/;

const row = z.object({ properties: z.string().max(1_000_000) });
const properties = z.object({ flow_path: z.string().min(1) });

/**
 * The flow that a run is of, by the name of the run; of one that was named by Prompt flow's store (`pf.sqlite` above `.runs`, table
 * `run_info`), where it is there. The store is not changed.
 *
 * @param folder of the run, absolute
 * @returns the name of the run where nothing tells
 */
export async function flowOfRun(run: string, folder: string): Promise<string> {
  return ownName.exec(run)?.[1] ?? (await flowInStore(join(folder, '../../pf.sqlite'), basename(folder))) ?? run;
}

async function flowInStore(store: string, run: string): Promise<string | undefined> {
  if (!existsSync(store)) return undefined;
  const { DatabaseSync } = await import('node:sqlite');
  try {
    using database = new DatabaseSync(store, { readOnly: true });
    const found = row.parse(database.prepare('SELECT properties FROM run_info WHERE name = ?').get(run));
    const { flow_path: path } = properties.parse(JSON.parse(found.properties));
    // Both separators: the store may come from Windows.
    return win32.basename(path.replace(/[\\/]flow\.dag\.yaml$/, '')) || undefined;
  } catch {
    // A store of another version, or another run of that name: the run's own name stands.
    return undefined;
  }
}
