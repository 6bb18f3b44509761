import { ProjectFailure, projectOn } from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { exitCode } from '../exit-code.ts';
import { forecastJson } from '../forecast/forecast-json.ts';
import { forecastText } from '../forecast/forecast-text.ts';
import type { Io } from '../io.ts';
import type { PlanSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';

/** `flow plan`: what a run over data would ask of models and what that costs, before anything is spent. */
export async function plan(settings: PlanSettings, io: Io): Promise<number> {
  const { flow, ...asked } = readBulkSettings(settings, io);
  if (asked.data === undefined && asked.run === undefined) {
    throw new ProjectFailure('which rows? Give them with --data FILE', { help: 'flow help plan shows how.' });
  }
  const { forecast, ...about } = await projectOn(hostOf(settings, io)).plan(flow, asked);
  if (settings.json) io.stdout.write(stringifyJsonLine(forecastJson(forecast, about), 2));
  else io.stdout.write(forecastText(forecast, about, styleOf(io.stdout, io, settings.color)));
  return exitCode.done;
}
