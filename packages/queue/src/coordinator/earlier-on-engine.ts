import {
  findAtEngine,
  findRunFile,
  notify,
  openRecord,
  ProjectFailure,
  type ProjectHost,
  runIdOf,
} from '@unroll/project';
import type { Database } from '../database/database.ts';
import { pushRun } from '../record/push-run.ts';
import { storedRuns } from '../record/stored-run.ts';

/**
 * The run whose outputs stand in, where workers can read it: a record of this machine is copied there, once.
 *
 * @param given as a user names it: a run here comes before one of the engine, unless --engine is typed, as where any command names one
 * @returns its id on the engine
 * @throws ProjectFailure when there is no such run, or another one of its name there
 */
export async function earlierOnEngine(given: string, database: Database, host: ProjectHost): Promise<string> {
  const here = async (): Promise<string> => await pushed(findRunFile(given, host), database, host);
  const there = async (): Promise<string> => runIdOf(await findAtEngine(given, storedRuns(database)));
  const [first, second] = host.engine?.isFirst === true ? [there, here] : [here, there];
  try {
    return await first();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // What is told is that the engine has none either.
    return await second().catch((other: unknown) => {
      throw first === there && isNotFound(other) ? error : other;
    });
  }
}

async function pushed(path: string, database: Database, host: ProjectHost): Promise<string> {
  const warned = new Set<string>();
  const onDamage = ({ message }: { readonly message: string }): void => {
    if (!warned.has(message)) notify(host, { kind: 'warning', message: `${message}; its nodes run` });
    warned.add(message);
  };
  await using reader = await openRecord(path, host, onDamage);
  await pushRun(database, reader);
  return reader.info.id;
}

function isNotFound(error: unknown): boolean {
  return error instanceof ProjectFailure && error.code === 'RunNotFound';
}
