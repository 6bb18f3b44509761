import type { ProjectHost } from '../host/project-host.ts';
import { onDamageOf, openRecord, recordFile } from '../records/open-record.ts';
import { shownPlace } from '../records/record-place.ts';
import type { OpenRun } from './side-by-side.ts';

/** Opens a run to compare it, as it is now; the record of an engine's run is a copy, which goes with it. */
export async function openRun(place: string, host: ProjectHost): Promise<OpenRun & AsyncDisposable> {
  const onDamage = onDamageOf(place, host);
  const file = await recordFile(place, host);
  const remove = (): PromiseLike<void> => file[Symbol.asyncDispose]();
  try {
    const { path } = file;
    const store = await openRecord(path, host, onDamage);
    return {
      ...{ store, place, path, onDamage, shownPath: shownPlace(place, host.folder) },
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
