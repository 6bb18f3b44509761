import { rotateConnectionKey } from '@unroll/project/kept-connections';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { RotateKeySettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow connection rotate-key`: a new key, and every kept secret encrypted with it. */
export async function rotate({ forgetOld, json }: RotateKeySettings, io: Io): Promise<number> {
  const { count, stores, keyFile } = rotateConnectionKey(forgetOld, io);
  if (json) {
    io.stdout.write(stringifyJsonLine({ encrypted: count, forgot_old: forgetOld }));
    return exitCode.done;
  }
  const places = stores.length === 0 ? '' : ` in ${stores.join(', ')}`;
  io.stdout.write(`re-encrypted ${count} ${count === 1 ? 'connection' : 'connections'}${places}\n`);
  io.stdout.write(
    forgetOld
      ? 'the old keys are gone: stores of other projects that used them need their secrets again\n'
      : `the old keys stay in ${keyFile} for stores of other projects (--forget-old drops them)\n`,
  );
  return exitCode.done;
}
