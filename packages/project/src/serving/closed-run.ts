import { existsSync } from 'node:fs';
import { type RunReader, shownPath } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { isUnreadable, lookAtRecordFile } from '../records/open-record.ts';
import { runPath } from '../records/runs-folder.ts';

/**
 * Reads a run that a server of a flow recorded and has closed.
 *
 * @returns undefined where there is no such run, or it was recorded otherwise
 */
export async function readClosedRun<Read>(
  id: string,
  { file }: FoundFlow,
  read: (reader: RunReader) => Promise<Read>,
  host: ProjectHost,
): Promise<Read | undefined> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u.test(id)) return undefined;
  const path = runPath(host.runsFolder, id);
  // No either for a name that is too long for a file.
  if (!existsSync(path)) return undefined;
  try {
    await using reader = lookAtRecordFile(path);
    const { flowPath, options } = reader.info;
    const isOfServer = options?.['serve'] === true && flowPath === shownPath(file, host.folder);
    return isOfServer ? await read(reader) : undefined;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
