import { nearestName, type RunCatalog } from '@unroll/engine';
import type { EngineRuns } from '../host/engine-runs.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { requireName } from '../host/required-names.ts';
import type { RunPlaces } from './open-record.ts';
import { placeAtEngine } from './record-place.ts';
import { findRunFile, listRunIds, matchingRun, namesRunFile } from './runs-folder.ts';

/**
 * Place of the record the user means: a file, an id, the start of one that only one run has, `latest`, or the newest when none is
 * given. Where an engine keeps runs too, those of the folder are meant first, or those of the engine where it says so; the others
 * where there is none of that name.
 *
 * @throws ProjectFailure when there is no such run or several
 */
export async function findRun(given: string | undefined, host: RunPlaces): Promise<string> {
  if (given !== undefined) requireName(given, 'a run');
  const { engine } = host;
  if (engine === undefined || namesRunFile(given, host)) return findRunFile(given, host);
  const here = async (): Promise<string> => findRunFile(given, host);
  const there = async (): Promise<string> => await findAtEngine(given, await engine.catalog());
  const [first, second] = engine.isFirst ? [there, here] : [here, there];
  try {
    return await first();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return await second().catch(async (other: unknown) => {
      throw await nowhere(given, [error, other], engine, host);
    });
  }
}

/**
 * The same of the runs of an engine alone.
 *
 * @throws ProjectFailure when there is no such run or several
 */
export async function findAtEngine(
  given: string | undefined,
  catalog: Pick<RunCatalog, 'shown' | 'ids'>,
): Promise<string> {
  const { shown } = catalog;
  const ids = await catalog.ids();
  const prefix = placeAtEngine(shown, '');
  const named = given?.startsWith(prefix) === true ? given.slice(prefix.length) : given;
  const id = matchingRun(named?.normalize('NFC'), ids);
  if (id !== undefined) return placeAtEngine(shown, id);
  if (named === undefined || (named === 'latest' && ids.length === 0)) {
    const help = 'flow run FLOW --data DATA --engine makes one.';
    throw new ProjectFailure(`there are no runs at ${shown}`, { help, code: 'RunNotFound' });
  }
  throw notThere(`there is no run ${named} at ${shown}`, named, ids, 'flow runs --engine lists them.');
}

/** Where none was found, and one of the two places may not have been reached at all. */
async function nowhere(
  given: string | undefined,
  failures: readonly unknown[],
  engine: EngineRuns,
  host: RunPlaces,
): Promise<unknown> {
  const [, other] = failures;
  if (!(other instanceof ProjectFailure)) return other;
  if (!isNotFound(other)) {
    const [{ message }] = failures as readonly [Error];
    return new ProjectFailure(`${message}, and ${other.message}`, { help: other.help, code: 'RunNotFound' });
  }
  const { shown, ids } = await engine.catalog().then(async (catalog) => {
    return { shown: catalog.shown, ids: await catalog.ids() };
  });
  const lists = 'flow runs lists those here, flow runs --engine those there.';
  const message = given === undefined ? 'there are no runs here' : `there is no run ${given} here`;
  return notThere(`${message}, nor at ${shown}`, given, [...listRunIds(host.runsFolder), ...ids], lists);
}

function notThere(message: string, given: string | undefined, ids: readonly string[], lists: string): ProjectFailure {
  const nearest = given === undefined ? undefined : nearestName(given, ids);
  const help = nearest === undefined ? lists : `did you mean "${nearest}"? ${lists}`;
  return new ProjectFailure(message, { help, code: 'RunNotFound' });
}

function isNotFound(error: unknown): boolean {
  return error instanceof ProjectFailure && error.code === 'RunNotFound';
}
