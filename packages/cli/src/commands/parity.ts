import { runParity } from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ParitySettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow parity`: a flow run again on the rows of an earlier run, an imported one above all, and what then differs. */
export async function parity(settings: ParitySettings, io: Io): Promise<number> {
  const { flow, run, rows = 5, ...given } = settings;
  const tells = !settings.json && !settings.quiet;
  const onRow = (ended: number, total: number): void => {
    const isStep = ended === total || ended % Math.ceil(total / 10) === 0;
    if (tells && isStep) io.stderr.write(`${ended} of ${total} rows run again\n`);
  };
  const progress = { signal: io.interruption(), onRow };
  const bulk = readBulkSettings(given, io);
  const { report } = await runParity({ flow, run, rows }, bulk, progress, hostOf(settings, io));
  if (report === undefined) return exitCode.interrupted;
  if (settings.json) io.stdout.write(diffJson(report));
  else {
    const style = createStyle(usesColor(io.stdout, io, settings.color));
    io.stdout.write(stringifyText(report, { style, limit: 12, columns: io.stdout.columns ?? 120 }));
  }
  return report.isSame ? exitCode.done : exitCode.failed;
}
