import { offAbort, onAbort, type RemoteRead } from '@unroll/engine';

/** What is given, or a refusal once nobody waits for it. @param leave called then */
export function untilAborted(
  given: Promise<RemoteRead>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<RemoteRead> {
  if (signal === undefined) return given;
  return new Promise((resolve) => {
    const stop = (): void => {
      leave();
      resolve({ ok: false, error: { type: 'Canceled', message: 'nobody waits for it' } });
    };
    onAbort(signal, stop);
    void given.then((read) => {
      offAbort(signal, stop);
      resolve(read);
    });
  });
}
