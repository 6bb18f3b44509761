import {
  continueSqliteRunLog,
  type OnDamage,
  openSqliteRunReader,
  type RunDamage,
  RunFileError,
  type RunLog,
  type RunReader,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { shownPath } from '../host/shown-path.ts';

/**
 * Opens a record to read it. Rows of it that are damaged are left out where many are read, and told.
 *
 * @throws ProjectFailure when the file is none, or nothing of it can be read
 */
export function openRecord(path: string, host: ProjectHost, onDamage: OnDamage = onDamageOf(path, host)): RunReader {
  return orFailure(() => openSqliteRunReader(path, { onDamage }));
}

/** Opens one record of several that are looked through: one that is damaged is passed over by who does. */
export function lookAtRecord(path: string): RunReader {
  return orFailure(() => openSqliteRunReader(path));
}

/** Whether a record that was looked at cannot be read. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof RunFileError || (error instanceof ProjectFailure && error.code === 'RunFileError');
}

/** Tells what of a record is damaged. */
export function onDamageOf(path: string, host: ProjectHost): OnDamage {
  return (damage) => notify(host, { kind: 'damage', record: shownPath(path, host.folder), damage });
}

/** Opens a record to go on with it; throws as `openRecord` does, and when it is damaged. */
export function continueRecord(path: string, host: ProjectHost, options: { readonly durable?: boolean } = {}): RunLog {
  const onDamage = ({ message }: RunDamage): void =>
    notify(host, { kind: 'warning', message: `${message}; it is run again` });
  return orFailure(() => continueSqliteRunLog(path, { ...options, onDamage }));
}

/** What is thrown when a record turns out to be damaged, or goes away, while it is read, as a failure of who reads it. */
export function recordFailure(error: unknown): unknown {
  if (!(error instanceof RunFileError)) return error;
  return new ProjectFailure(error.message, { code: 'RunFileError', kind: 'failed' });
}

function orFailure<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof RunFileError)) throw error;
    throw new ProjectFailure(error.message, { code: 'RunFileError', help: 'flow runs lists what can be read.' });
  }
}
