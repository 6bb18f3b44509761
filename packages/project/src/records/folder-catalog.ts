import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { openSqliteRunReader, type RunCatalog, type RunMarks } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { orFailure } from './record-failure.ts';
import { removeRun } from './remove-run.ts';
import { lockPath, lockState } from './run-lock.ts';
import { marksPath, readMarks, writeMarks } from './run-marks.ts';
import { listRunIds, runIdsAmong, runPath } from './runs-folder.ts';

/** The runs of a folder, with a file each. */
export function folderCatalog(folder: string): RunCatalog {
  const fileOf = (id: string): string => {
    // Only ids as they stand there: nothing that leads elsewhere is looked at.
    if (listRunIds(folder).includes(id)) return runPath(folder, id);
    throw new ProjectFailure(`there is no run ${id} in ${folder}`, {
      help: 'flow runs lists them.',
      code: 'RunNotFound',
    });
  };
  return {
    shown: folder,
    ids: async () => listRunIds(folder),
    open: async (id, onDamage) => orFailure(() => openSqliteRunReader(fileOf(id), { onDamage })),
    stateOf: async (id) => lockState(fileOf(id)),
    stamps: async () => stampsIn(folder),
    stampOf: async (id) => recordStamp(fileOf(id)),
    marks: async () => marksIn(folder),
    mark: async (id, change) => await writeMarks(fileOf(id), change),
    file: async (id) => ({ path: fileOf(id), [Symbol.asyncDispose]: async () => undefined }),
    remove: async (id) => removeRun(fileOf(id), id),
  };
}

/** Files that are not in the folder are not looked for beside each of thousands of records. */
function stampsIn(folder: string): ReadonlyMap<string, string> {
  const names = filesIn(folder);
  const isThere = (path: string): boolean => names.has(basename(path));
  return new Map(runIdsAmong(names, folder).map((id) => [id, recordStamp(runPath(folder, id), isThere)]));
}

function marksIn(folder: string): ReadonlyMap<string, RunMarks> {
  const names = filesIn(folder);
  const marked = runIdsAmong(names, folder).filter((id) => names.has(basename(marksPath(runPath(folder, id)))));
  const read = marked.flatMap((id) => {
    const marks = readMarks(runPath(folder, id));
    return marks === undefined ? [] : [[id, marks] as const];
  });
  return new Map(read);
}

function filesIn(folder: string): ReadonlySet<string> {
  return new Set(existsSync(folder) ? readdirSync(folder) : []);
}

/**
 * How a record file stands: what was worked out from it holds as long as this does.
 *
 * @param isThere whether there is a file, where that is known
 */
export function recordStamp(path: string, isThere: (path: string) => boolean = () => true): string {
  const stampOf = (file: string): string => {
    try {
      const { ino, size, mtimeMs } = statSync(file);
      return `${ino}:${size}:${mtimeMs}`;
    } catch {
      return '';
    }
  };
  const log = `${path}-wal`;
  return `${stampOf(path)} ${isThere(log) ? stampOf(log) : ''} ${isThere(lockPath(path)) ? lockState(path) : 'free'}`;
}
