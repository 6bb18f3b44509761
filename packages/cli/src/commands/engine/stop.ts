import { withEngine } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { StopSettings } from '../../options/engine-options.ts';
import { engineArgument } from '../../project-host.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow stop`: asks a run on workers to stop. */
export async function stop(settings: StopSettings, io: Io): Promise<number> {
  return await withEngine(settings, io, 'stop', async ({ stopOnEngine }, database) => {
    const { id, wasUnderWay } = await stopOnEngine(settings.run, database);
    const next = `flow run --resume ${id}${engineArgument(settings)}`;
    if (settings.json) io.stdout.write(stringifyJsonLine({ run_id: id, stopping: wasUnderWay }));
    else if (wasUnderWay) io.stdout.write(`run ${id} stops: rows in flight end; it goes on with\n  ${next}\n`);
    else io.stdout.write(`run ${id} is over already\n`);
    return exitCode.done;
  });
}
