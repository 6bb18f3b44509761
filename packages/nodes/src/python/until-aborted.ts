import type { RemoteRead } from '@unroll/engine';

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
    signal.addEventListener('abort', stop, { once: true });
    void given.then((read) => {
      signal.removeEventListener('abort', stop);
      resolve(read);
    });
  });
}
