import { keyPlaces, rotateKey } from '@unroll/nodes';
import { allStores, orFailure, shownStore } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { RotateKeySettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow connection rotate-key`: a new key, and every kept secret encrypted with it. */
export async function rotate(settings: RotateKeySettings, io: Io): Promise<number> {
  const keys = keyPlaces(io.environment);
  const stores = allStores(io);
  const count = orFailure(() => rotateKey(stores, keys, settings.forgetOld));
  if (settings.json) {
    io.stdout.write(stringifyJsonLine({ encrypted: count, forgot_old: settings.forgetOld }));
    return exitCode.done;
  }
  const places = stores.map(({ folder }) => shownStore(folder, io)).join(', ');
  io.stdout.write(
    `re-encrypted ${count} ${count === 1 ? 'connection' : 'connections'}${places === '' ? '' : ` in ${places}`}\n`,
  );
  io.stdout.write(
    settings.forgetOld
      ? 'the old keys are gone: stores of other projects that used them need their secrets again\n'
      : `the old keys stay in ${shownStore(keys.file ?? '', io)} for stores of other projects (--forget-old drops them)\n`,
  );
  return exitCode.done;
}
