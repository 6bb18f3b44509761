import { statSync } from 'node:fs';
import { openSqliteRunReader, type RunCatalog, type RunMarks } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { orFailure } from './record-failure.ts';
import { removeRun } from './remove-run.ts';
import { lockState } from './run-lock.ts';
import { readMarks, writeMarks } from './run-marks.ts';
import { listRunIds, runPath } from './runs-folder.ts';

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
    stamps: async () => new Map(listRunIds(folder).map((id) => [id, recordStamp(runPath(folder, id))])),
    stampOf: async (id) => recordStamp(fileOf(id)),
    marks: async () => new Map(listRunIds(folder).flatMap((id) => marksOf(id, folder))),
    mark: async (id, change) => await writeMarks(fileOf(id), change),
    file: async (id) => ({ path: fileOf(id), [Symbol.asyncDispose]: async () => undefined }),
    remove: async (id) => removeRun(fileOf(id), id),
  };
}

function marksOf(id: string, folder: string): readonly (readonly [string, RunMarks])[] {
  const marks = readMarks(runPath(folder, id));
  return marks === undefined ? [] : [[id, marks]];
}

/** How a record file stands: what was worked out from it holds as long as this does. */
export function recordStamp(path: string): string {
  const stampOf = (file: string): string => {
    try {
      const { ino, size, mtimeMs } = statSync(file);
      return `${ino}:${size}:${mtimeMs}`;
    } catch {
      return '';
    }
  };
  return `${stampOf(path)} ${stampOf(`${path}-wal`)} ${lockState(path)}`;
}
