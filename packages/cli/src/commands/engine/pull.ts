import { withEngine } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { PullSettings } from '../../options/engine-options.ts';
import { hostOf, runArgument } from '../../project-host.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow pull`: copies a run on workers to a record here. */
export async function pull(settings: PullSettings, io: Io): Promise<number> {
  const signal = io.interruption();
  const host = hostOf(settings, io);
  return await withEngine(settings, io, 'pull', async ({ pullToHost }, database) => {
    try {
      const { id, path } = await pullToHost(settings.run, database, host, { signal });
      if (settings.json) io.stdout.write(stringifyJsonLine({ run_id: id, record: path }));
      else io.stdout.write(`pulled ${id}: flow show ${runArgument(id, settings)}\n`);
      return exitCode.done;
    } catch (error) {
      if (!signal.aborted) throw error;
      io.stderr.write('nothing was pulled\n');
      return exitCode.interrupted;
    }
  });
}
