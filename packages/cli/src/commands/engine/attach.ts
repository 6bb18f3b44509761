import { createOutcomeReporter, exitCodeOf } from '../../bulk/end-bulk.ts';
import { createProgressReporter } from '../../bulk/progress-reporter.ts';
import { withEngine } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import { type Io, outputClosed } from '../../io.ts';
import type { AttachSettings } from '../../options/engine-options.ts';
import { engineArgument, hostOf } from '../../project-host.ts';

/** `flow attach`: shows how a run on workers stands until it is over, or its user leaves. */
export async function attach(settings: AttachSettings, io: Io): Promise<number> {
  const leave = io.interruption();
  const progress = createProgressReporter(settings, io);
  const host = hostOf(settings, io, [progress, createOutcomeReporter({ ...settings, isElsewhere: true }, io)]);
  return await withEngine(settings, io, 'attach', async ({ attachRun }, database) => {
    const outcome = await attachRun(settings.run, database, host, leave);
    if (outcome !== undefined) return exitCodeOf(outcome.result, settings.allowFailures);
    if (leave.reason !== outputClosed) {
      io.stderr.write(`the run goes on; flow attach ${settings.run}${engineArgument(settings)} follows it again\n`);
    }
    return exitCode.interrupted;
  });
}
