import { once } from 'node:events';
import type { Reporter } from '@unroll/project';
import type { Io } from './io.ts';

/** Stops work when the user interrupts it. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Until this is called, an interrupt ends the process as usual. */
  listen(): void;
  /** Listens from the start of a run on. */
  readonly reporter: Reporter;
}

/** @param atOnce called when a second interrupt ends the process */
export function interruptionOf(io: Io, atOnce?: () => void): Interruption {
  const stop = new AbortController();
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    const interrupted = io.interruption(atOnce);
    const pass = (): void => stop.abort(interrupted.reason);
    if (interrupted.aborted) pass();
    else interrupted.addEventListener('abort', pass, { once: true });
  };
  const reporter: Reporter = ({ type }) => {
    if (type === 'run-started') listen();
  };
  return { signal: stop.signal, listen, reporter };
}

/** Resolves once the signal is aborted. */
export async function interrupted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
