import {
  continueSqliteRunStore,
  type OnDamage,
  openSqliteRunStore,
  type RunDamage,
  RunFileError,
  type RunStore,
} from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { shownPath } from '../text/shown-path.ts';
import { recordDamageOf } from './record-damage.ts';

/**
 * Opens a record to read it. Rows of it that are damaged are left out where many are read, and told at the command's end.
 *
 * @throws CommandFailure when the file is none, or nothing of it can be read
 */
export function openRecord(path: string, io: Io, onDamage: OnDamage = onDamageOf(path, io)): RunStore {
  return orFailure(() => openSqliteRunStore(path, { onDamage }));
}

/** Opens one record of several that are looked through: one that is damaged is passed over by who does. */
export function lookAtRecord(path: string): RunStore {
  return orFailure(() => openSqliteRunStore(path));
}

/** Whether a record that was looked at cannot be read. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof RunFileError || (error instanceof CommandFailure && error.code === 'RunFileError');
}

/** Told at the command's end, which makes its exit code 1. */
export function onDamageOf(path: string, io: Io): OnDamage {
  return (damage) => recordDamageOf(io).add(shownPath(path, io.folder), damage);
}

/** Opens a record to go on with it; throws as `openRecord` does, and when it is damaged. */
export function continueRecord(path: string, io: Io, options: { readonly durable?: boolean } = {}): RunStore {
  const onDamage = ({ message }: RunDamage): void => io.stderr.write(`warning: ${message}; it is run again\n`);
  return orFailure(() => continueSqliteRunStore(path, { ...options, onDamage }));
}

/** What is thrown when a record turns out to be damaged, or goes away, while a command reads it, as a failure of the command. */
export function recordFailure(error: unknown): unknown {
  if (!(error instanceof RunFileError)) return error;
  return new CommandFailure(error.message, { code: 'RunFileError', exitCode: exitCode.failed });
}

function orFailure(open: () => RunStore): RunStore {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof RunFileError)) throw error;
    throw new CommandFailure(error.message, { code: 'RunFileError', help: 'flow runs lists what can be read.' });
  }
}
