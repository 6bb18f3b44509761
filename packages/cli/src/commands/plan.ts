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
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { forecastJson } from '../forecast/forecast-json.ts';
import { forecastText } from '../forecast/forecast-text.ts';
import { hostOf } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow plan`: what a run over data would ask of models and what that costs, before anything is spent. */
export async function plan(call: CommandCall): Promise<number> {
  const { io, options } = call;
  const settings = readBulkSettings(call);
  if (settings.data === undefined && settings.run === undefined) {
    throw new ProjectFailure('which rows? Give them with --data FILE', { help: 'flow help plan shows how.' });
  }
  const found = findFlow(settings.flow, io);
  const { since } = settings;
  const opened = await openForRun(found, settings, hostOf(call));
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, hostOf(call));
  const rates = await findRates(shownPath(found.file, io.folder), since, hostOf(call));
  const forecast = await forecastRun(flow, rows.rows, {
    repeat: settings.repeat,
    connections: opened.connections,
    prices: findPrices(io),
    rates,
  });
  const about = { flow: flow.plan.name, data: rows.about, since, basis: rates?.runId };
  if (options['json'] === true) io.stdout.write(stringifyJsonLine(forecastJson(forecast, about), 2));
  else io.stdout.write(forecastText(forecast, about, createStyle(usesColor(io.stdout, io, options['color']))));
  return exitCode.done;
}
