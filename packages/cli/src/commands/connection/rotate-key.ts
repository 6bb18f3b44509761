import { keyPlaces, rotateKey } from '@unroll/nodes';
import { allStores, orFailure, shownStore } from '@unroll/project';
import type { CommandCall } from '../../command-spec.ts';
import { exitCode } from '../../exit-code.ts';

/** `flow connection rotate-key`: a new key, and every kept secret encrypted with it. */
export async function rotate({ options, io }: CommandCall): Promise<number> {
  const keys = keyPlaces(io.environment);
  const stores = allStores(io);
  const count = orFailure(() => rotateKey(stores, keys, options['forgetOld'] === true));
  const places = stores.map(({ folder }) => shownStore(folder, io)).join(', ');
  io.stdout.write(
    `encrypted ${count} ${count === 1 ? 'connection' : 'connections'} anew${places === '' ? '' : ` in ${places}`}\n`,
  );
  io.stdout.write(
    options['forgetOld'] === true
      ? 'the old keys are gone: stores of other projects that used them need their secrets anew\n'
      : `the old keys stay in ${shownStore(keys.file ?? '', io)} for stores of other projects (--forget-old drops them)\n`,
  );
  return exitCode.done;
}
