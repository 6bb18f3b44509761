import { continueSqliteRunStore, openSqliteRunStore, RunFileError, type RunStore } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';

/**
 * Opens a record to read it.
 *
 * @throws CommandFailure when the file is none, or is damaged
 */
export function openRecord(path: string): RunStore {
  return orFailure(() => openSqliteRunStore(path));
}

/** Opens a record to go on with it; throws as `openRecord` does. */
export function continueRecord(path: string, options: { readonly durable?: boolean } = {}): RunStore {
  return orFailure(() => continueSqliteRunStore(path, options));
}

function orFailure(open: () => RunStore): RunStore {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof RunFileError)) throw error;
    throw new CommandFailure(error.message, { code: 'RunFileError', help: 'flow runs lists what can be read.' });
  }
}
