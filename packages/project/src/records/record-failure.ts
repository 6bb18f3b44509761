import { RunFileError } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/** What is thrown when a record turns out to be damaged, or goes away, while it is read, as a failure of who reads it. */
export function recordFailure(error: unknown): unknown {
  if (!(error instanceof RunFileError)) return error;
  return new ProjectFailure(error.message, { code: 'RunFileError', kind: 'failed' });
}

/** @throws ProjectFailure where a record cannot be opened */
export function orFailure<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    return refuseRecord(error);
  }
}

/** @throws ProjectFailure for what keeps a record from being opened, and any other error as it is */
export function refuseRecord(error: unknown): never {
  if (!(error instanceof RunFileError)) throw error;
  throw new ProjectFailure(error.message, { code: 'RunFileError', help: 'flow runs lists what can be read.' });
}
