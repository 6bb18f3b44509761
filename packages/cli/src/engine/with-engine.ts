import { ProjectFailure } from '@unroll/project';
import type { Database } from '@unroll/queue';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';

type Queue = typeof import('@unroll/queue');

/** What runs flows past one machine; loaded where an engine is named. */
export async function loadQueue(): Promise<Queue> {
  try {
    return await import('@unroll/queue');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ProjectFailure('an engine needs pg and pg-boss, which are not installed', {
      code: 'PackageMissing',
      help: 'npm install pg@8 pg-boss@12.35.0',
    });
  }
}

/** The engine that an option or a variable names. */
export function engineAddress(
  { engine }: OutputSettings,
  { environment }: Pick<Io, 'environment'>,
): string | undefined {
  const named = engine ?? environment['FLOW_ENGINE'] ?? '';
  return named === '' ? undefined : named;
}

/** @throws ProjectFailure when none is named */
export function requireAddress(address: string | undefined): string {
  if (address !== undefined) return address;
  throw new ProjectFailure('which engine? --engine or FLOW_ENGINE names it', {
    help: 'For instance: --engine postgres://ada@db.example/flows',
  });
}

/**
 * Works with the engine that is named, and closes it.
 *
 * @param command as the server's list of connections shows it
 * @throws ProjectFailure when none is named, or it is not reached
 */
export async function withEngine<T>(
  settings: OutputSettings,
  io: Io,
  command: string,
  work: (queue: Queue, database: Database) => Promise<T>,
): Promise<T> {
  const address = requireAddress(engineAddress(settings, io));
  const queue = await loadQueue();
  await using database = await queue.openEngine(address, { redactor: io.redactor, applicationName: `flow ${command}` });
  try {
    return await work(queue, database);
  } catch (error) {
    throw database.failureOf(error);
  }
}
