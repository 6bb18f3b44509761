import { shownPath } from '@unroll/engine';
import { openBulkRows } from '../bulk/bulk-rows.ts';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import { findFlow } from '../flows/find-flow.ts';
import { openForRun } from '../flows/open-for-run.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { findPrices } from '../prices/price-list.ts';
import { findRates } from './find-rates.ts';
import { forecastRun, type RunForecast } from './forecast-run.ts';

/** What a run over data would take. */
export interface RunPlan {
  readonly forecast: RunForecast;
  /** Name of the flow. */
  readonly flow: string;
  /** Where the rows come from, for people. */
  readonly data: string;
  /** The run whose outputs would stand in. */
  readonly since: string | undefined;
  /** The run that the likely numbers come from. */
  readonly basis: string | undefined;
}

/**
 * What a run over data would ask of models and what that costs; nothing is asked.
 *
 * @throws ProjectFailure when there is no such flow or data, or the flow cannot run
 */
export async function planDataset(settings: BulkSettings, host: ProjectHost): Promise<RunPlan> {
  const found = findFlow(settings.flow, host);
  const { since, repeat } = settings;
  const opened = await openForRun(found, settings, host);
  await using flow = opened.flow;
  const { rows, about, data } = await openBulkRows(flow.plan, settings, host);
  const rates = await findRates(shownPath(found.file, host.folder), since, host);
  const { connections } = opened;
  const prices = findPrices(host);
  const forecast = await forecastRun(flow, rows, { repeat, total: data.total, connections, prices, rates });
  return { forecast, flow: flow.plan.name, data: about, since, basis: rates?.runId };
}
