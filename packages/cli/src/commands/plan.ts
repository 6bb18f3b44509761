import {
  findFlow,
  findPrices,
  findRates,
  forecastRun,
  openBulkRows,
  openForRun,
  ProjectFailure,
  shownPath,
} from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { exitCode } from '../exit-code.ts';
import { forecastJson } from '../forecast/forecast-json.ts';
import { forecastText } from '../forecast/forecast-text.ts';
import type { Io } from '../io.ts';
import type { PlanSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow plan`: what a run over data would ask of models and what that costs, before anything is spent. */
export async function plan(settings: PlanSettings, io: Io): Promise<number> {
  const bulk = readBulkSettings(settings, io);
  if (bulk.data === undefined && bulk.run === undefined) {
    throw new ProjectFailure('which rows? Give them with --data FILE', { help: 'flow help plan shows how.' });
  }
  const found = findFlow(bulk.flow, io);
  const { since } = bulk;
  const opened = await openForRun(found, bulk, hostOf(settings, io));
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, bulk, hostOf(settings, io));
  const rates = await findRates(shownPath(found.file, io.folder), since, hostOf(settings, io));
  const forecast = await forecastRun(flow, rows.rows, {
    repeat: bulk.repeat,
    connections: opened.connections,
    prices: findPrices(io),
    rates,
  });
  const about = { flow: flow.plan.name, data: rows.about, since, basis: rates?.runId };
  if (settings.json) io.stdout.write(stringifyJsonLine(forecastJson(forecast, about), 2));
  else io.stdout.write(forecastText(forecast, about, createStyle(usesColor(io.stdout, io, settings.color))));
  return exitCode.done;
}
