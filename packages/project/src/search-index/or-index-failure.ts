import { sqliteReason } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * Tells what kept an index file from being written: its disk is full, another process writes it. Any other error is thrown again.
 *
 * @param index as it was given
 */
export async function orIndexFailure<T>(index: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const reason = sqliteReason(error);
    if (reason === undefined) throw error;
    const help = 'What was read is kept: the same command goes on from there.';
    throw new ProjectFailure(`${index} cannot be written: ${reason}`, { help, kind: 'failed' });
  }
}
