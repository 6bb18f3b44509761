import { projectOn, type Reporter } from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import { interruptionOf } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { ParitySettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow parity`: a flow run again on the rows of an earlier run, an imported one above all, and what then differs. */
export async function parity(settings: ParitySettings, io: Io): Promise<number> {
  const { flow, run, rows, ...given } = settings;
  const tells = !settings.json && !settings.quiet;
  const { signal, reporter } = interruptionOf(io);
  const project = projectOn(hostOf(settings, io, [reporter, ...(tells ? [createTenthsReporter(io)] : [])]));
  const { report } = await project.parity(flow, run, { ...readBulkSettings(given, io), rows, signal }).result;
  if (report === undefined) return exitCode.interrupted;
  if (settings.json) io.stdout.write(diffJson(report));
  else {
    const style = createStyle(usesColor(io.stdout, io, settings.color));
    io.stdout.write(stringifyText(report, { style, limit: 12, columns: io.stdout.columns ?? 120 }));
  }
  return report.isSame ? exitCode.done : exitCode.failed;
}

/** A line each time a tenth of the rows has been run again. */
function createTenthsReporter(io: Io): Reporter {
  let total = 0;
  let ended = 0;
  return (event) => {
    if (event.type === 'run-started' && event.kind === 'dataset') total = event.total ?? 0;
    if (event.type !== 'row-ended') return;
    ended += 1;
    if (ended === total || ended % Math.ceil(total / 10) === 0)
      io.stderr.write(`${ended} of ${total} rows run again\n`);
  };
}
