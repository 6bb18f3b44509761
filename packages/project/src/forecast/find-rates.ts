import type { ProjectHost } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { lookAtRecord } from '../records/open-record.ts';
import { listRunIds, runPath } from '../records/runs-folder.ts';
import { type EarlierRates, earlierRates } from './earlier-rates.ts';

/** Of the run whose outputs would stand in, else of the newest run of the same flow over data, else of its newest. */
export async function findRates(
  flowPath: string,
  since: string | undefined,
  host: ProjectHost,
): Promise<EarlierRates | undefined> {
  const folder = host.runsFolder;
  if (since !== undefined) return (await readRates(await findRun(since, host), host))?.rates;
  let newest: EarlierRates | undefined;
  for (const id of listRunIds(folder)) {
    const found = await readRates(runPath(folder, id), host, flowPath).catch(() => undefined);
    if (found?.isOverData === true) return found.rates;
    newest ??= found?.rates;
  }
  return newest;
}

/** @param flowPath only where the run is one of this flow; runs whose outputs were given tell nothing of it */
async function readRates(
  place: string,
  host: ProjectHost,
  flowPath?: string,
): Promise<{ readonly rates: EarlierRates; readonly isOverData: boolean } | undefined> {
  await using store = await lookAtRecord(place, host);
  const { flowPath: of, options: { oracle } = {}, data } = store.info;
  if (flowPath !== undefined && (of !== flowPath || oracle !== undefined)) return undefined;
  const rates = await earlierRates(store);
  return rates === undefined ? undefined : { rates, isOverData: data !== undefined };
}
