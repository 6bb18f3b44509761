import {
  type CatalogFile,
  continueSqliteRunLog,
  type OnDamage,
  openSqliteRunReader,
  type RunCatalog,
  type RunDamage,
  RunFileError,
  type RunLog,
  type RunMarks,
  type RunReader,
  type WorkState,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { formatCount } from '../words/index.ts';
import { folderCatalog, recordStamp } from './folder-catalog.ts';
import { orFailure } from './record-failure.ts';
import { isAtEngine, runIdOf, shownPlace } from './record-place.ts';
import { lockState } from './run-lock.ts';
import { changedMarks, type RunMarksChange, readMarks, writeMarks } from './run-marks.ts';

/** What of a host tells where runs are kept. */
export type RunPlaces = Pick<ProjectHost, 'folder' | 'runsFolder' | 'engine'>;

/**
 * Opens a record to read it. Rows of it that are damaged are left out where many are read, and told.
 *
 * @throws ProjectFailure when there is none, or nothing of it can be read
 */
export async function openRecord(
  place: string,
  host: ProjectHost,
  onDamage: OnDamage = onDamageOf(place, host),
): Promise<RunReader> {
  if (isAtEngine(place)) return await (await catalogOf(place, host)).open(runIdOf(place), onDamage);
  return orFailure(() => openSqliteRunReader(place, { onDamage, name: shownPlace(place, host.folder) }));
}

/** Opens one record of several that are looked through: one that is damaged is passed over by who does. */
export async function lookAtRecord(place: string, host: RunPlaces): Promise<RunReader> {
  if (isAtEngine(place)) return await (await catalogOf(place, host)).open(runIdOf(place));
  return orFailure(() => openSqliteRunReader(place, { name: shownPlace(place, host.folder) }));
}

/** The same of a record that is a file. */
export function lookAtRecordFile(path: string): RunReader {
  return orFailure(() => openSqliteRunReader(path));
}

/** Where the record is among others. */
export async function catalogOf(place: string, { engine, runsFolder }: RunPlaces): Promise<RunCatalog> {
  if (!isAtEngine(place)) return folderCatalog(runsFolder);
  if (engine === undefined) throw new Error(`bug: nobody knows the engine of ${place}`);
  return await engine.catalog();
}

/** The record as a file: its own, or a copy of what an engine has of it now. */
export async function recordFile(place: string, host: ProjectHost): Promise<CatalogFile> {
  if (isAtEngine(place)) return await (await catalogOf(place, host)).file(runIdOf(place), reportingCopy(place, host));
  return { path: place, [Symbol.asyncDispose]: async () => undefined };
}

/** Milliseconds after which somebody who waits is told what for, and then again. */
const patienceMs = 2000;

function reportingCopy(place: string, host: ProjectHost): (records: number) => void {
  let toldAt = performance.now();
  return (records) => {
    if (performance.now() - toldAt < patienceMs) return;
    toldAt = performance.now();
    notify(host, {
      kind: 'note',
      message: `copies run ${runIdOf(place)} to compare it: ${formatCount(records)} records`,
    });
  };
}

/** Whether anybody is at work on the run. */
export async function workState(place: string, host: RunPlaces): Promise<WorkState> {
  return isAtEngine(place) ? await (await catalogOf(place, host)).stateOf(runIdOf(place)) : lockState(place);
}

/** A text that is another one once more of the run was recorded, or its state changed. */
export async function stampOf(place: string, host: RunPlaces): Promise<string> {
  return isAtEngine(place) ? await (await catalogOf(place, host)).stampOf(runIdOf(place)) : recordStamp(place);
}

/** What people say of the run; undefined where they say nothing. */
export async function marksOf(place: string, host: RunPlaces): Promise<RunMarks | undefined> {
  if (!isAtEngine(place)) return readMarks(place);
  return (await (await catalogOf(place, host)).marks()).get(runIdOf(place));
}

/**
 * Changes what is said of the run.
 *
 * @throws ProjectFailure where that cannot be said of it, or cannot be kept
 */
export async function markRun(place: string, change: RunMarksChange, host: ProjectHost): Promise<RunMarks> {
  const changed = (marks: RunMarks): RunMarks => changedMarks(marks, change, host);
  if (!isAtEngine(place)) return await writeMarks(place, changed, host.folder);
  return await (await catalogOf(place, host)).mark(runIdOf(place), changed);
}

/** Whether a record that was looked at cannot be read. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof RunFileError || (error instanceof ProjectFailure && error.code === 'RunFileError');
}

/** Tells what of a record is damaged. */
export function onDamageOf(place: string, host: ProjectHost): OnDamage {
  return (damage) => notify(host, { kind: 'damage', record: shownPlace(place, host.folder), damage });
}

/** Opens a record file to go on with it; throws as `openRecord` does, and when it is damaged. */
export function continueRecord(path: string, host: ProjectHost, options: { readonly durable?: boolean } = {}): RunLog {
  const onDamage = ({ message }: RunDamage): void =>
    notify(host, { kind: 'warning', message: `${message}; it is run again` });
  return orFailure(() => continueSqliteRunLog(path, { ...options, onDamage }));
}
