import { projectOn } from '@unroll/project';
import { createProgressReporter } from '../bulk/progress-reporter.ts';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import { interruptionOf } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { ParitySettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { styleOf } from '../text/style.ts';

/** `flow parity`: a flow run again on the rows of an earlier run, an imported one above all, and what then differs. */
export async function parity(settings: ParitySettings, io: Io): Promise<number> {
  const { flow, run, rows, ...given } = settings;
  const progress = createProgressReporter({ ...settings, json: false, quiet: settings.quiet || settings.json }, io);
  const { signal, reporter } = interruptionOf(io);
  const project = projectOn(hostOf(settings, io, [reporter, progress]));
  const { report } = await project.parity(flow, run, { ...readBulkSettings(given, io), rows, signal }).result;
  if (report === undefined) return exitCode.interrupted;
  if (settings.json) io.stdout.write(diffJson(report));
  else {
    const style = styleOf(io.stdout, io, settings.color);
    io.stdout.write(stringifyText(report, { style, limit: 12, columns: io.stdout.columns ?? 120 }));
  }
  return report.isSame ? exitCode.done : exitCode.failed;
}
