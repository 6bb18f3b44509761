import { engineAddress, loadQueue, requireAddress } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { EngineInitSettings } from '../../options/engine-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow engine init`: makes a database an engine, or brings it up to date. */
export async function init({ address, json }: EngineInitSettings, io: Io): Promise<number> {
  const named = requireAddress(engineAddress({ engine: address }, io));
  const { initEngine } = await loadQueue();
  const made = await initEngine(named, { redactor: io.redactor, applicationName: 'flow engine init' });
  const { shown, schema, serverVersion, applied, migration } = made;
  if (json) {
    io.stdout.write(stringifyJsonLine({ engine: shown, schema, postgres: serverVersion, migration, applied }));
    return exitCode.done;
  }
  const what = applied.length === 0 ? 'was up to date' : `is ready: ${applied.join(', ')}`;
  io.stdout.write(`the schema ${schema} at ${shown} ${what}\n`);
  return exitCode.done;
}
