import { AsyncLocalStorage } from 'node:async_hooks';

type Fail = (error: Error) => void;

const asking = new AsyncLocalStorage<Fail>();

/** Ends what is asked now with an error. What is asked later on behalf of it counts to it. */
export function askedNow(): Fail {
  return asking.getStore() ?? (() => undefined);
}

/** What is asked of a server, and how long that may take. */
export interface Phase {
  /** For messages: `the handshake`. */
  readonly name: string;
  readonly timeoutMs: number;
}

/**
 * What `ask` gives. The official client waits out its time where a stream failed, and without end for some answers: here what is
 * asked ends with its first failure, or its time.
 *
 * @param ask is given a signal that is aborted when it is given up
 */
export async function askedInTime<Answer>(
  { name, timeoutMs }: Phase,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const givenUp = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const fail: Fail = (error) => {
    reject(error);
    givenUp.abort(error);
  };
  const timer = setTimeout(() => fail(new Error(`${name} did not end within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    return await asking.run(fail, () => Promise.race([ask(givenUp.signal), promise]));
  } finally {
    clearTimeout(timer);
  }
}
