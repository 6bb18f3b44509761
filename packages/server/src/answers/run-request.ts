import { type JsonObject, longestTimerMs, type NodeEvent, type Streaming } from '@unroll/engine';
import type { RequestPlace, ServedFlow, ServedRow } from '@unroll/project';
import type { Serving } from './serving.ts';

/** What a request came to: a row, or why none was run to its end. */
export type RequestOutcome =
  | { readonly kind: 'row'; readonly row: ServedRow }
  /** Too many are under way, or the server is about to end; its row, where it had begun, was stopped. */
  | { readonly kind: 'busy'; readonly isDraining: boolean }
  | { readonly kind: 'timed-out'; readonly seconds: number; readonly place: RequestPlace | undefined }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'gone' };

export interface RequestOptions {
  /** One of them is aborted when nobody waits for the answer any more. */
  readonly gone: readonly AbortSignal[];
  readonly onEvent?: (event: NodeEvent) => void;
  readonly streaming?: Streaming;
  /** Told before the row runs where it will be on record. */
  readonly onPlace?: (place: RequestPlace | undefined) => void;
}

/** Runs a flow for a request once it is its turn; a client that goes away, the time limit, and the end of the server stop its nodes. */
export async function runRequest(
  flow: ServedFlow,
  inputs: JsonObject,
  { gone, onEvent, streaming, onPlace }: RequestOptions,
  serving: Serving,
): Promise<RequestOutcome> {
  const { gate, isDraining } = serving;
  if (isDraining()) return { kind: 'busy', isDraining: true };
  using limits = new RequestLimits(gone, serving);
  const { signal } = limits;
  const request = flow.begin();
  onPlace?.(request.place);
  if (!(await gate.enter(signal))) {
    request.drop();
    return limits.reason(undefined) ?? { kind: 'busy', isDraining: false };
  }
  try {
    const row = await request.run(inputs, {
      signal,
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(streaming === undefined ? {} : { streaming }),
    });
    const reason = row.row.status === 'Canceled' ? limits.reason(row.place) : undefined;
    return reason ?? { kind: 'row', row };
  } finally {
    gate.leave();
  }
}

/**
 * What ends a request before it has ended by itself. Not `AbortSignal.any`: what listens to a composed signal, which is all of a
 * request, stays until V8 collects its old generation, and each collection of the young one takes a few times as long.
 */
class RequestLimits implements Disposable {
  readonly #stop = new AbortController();
  readonly #gone: readonly AbortSignal[];
  readonly #givenUp: AbortSignal;
  readonly #seconds: number;
  readonly #timer: NodeJS.Timeout;
  #ends: 'timed out' | 'server ends' | undefined;

  constructor(gone: readonly AbortSignal[], { requestTimeoutMs, givenUp }: Serving) {
    this.#gone = gone;
    this.#givenUp = givenUp;
    this.#seconds = requestTimeoutMs / 1000;
    this.#timer = setTimeout(this.#timedOut, Math.min(requestTimeoutMs, longestTimerMs));
    givenUp.addEventListener('abort', this.#serverEnds, { once: true });
    for (const one of gone) one.addEventListener('abort', this.#left, { once: true });
    if (this.#isGone) this.#left();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get #isGone(): boolean {
    return this.#gone.some((one) => one.aborted);
  }

  readonly #left = (): void => this.#stop.abort(this.#gone.find((one) => one.aborted)?.reason);

  readonly #timedOut = (): void => {
    this.#ends ??= 'timed out';
    this.#stop.abort(new Error(`the request took longer than ${this.#seconds} s`));
  };

  readonly #serverEnds = (): void => {
    this.#ends ??= 'server ends';
    this.#stop.abort(new Error('the server ends'));
  };

  /** Which of them it was; undefined where none was. */
  reason(place: RequestPlace | undefined): RequestOutcome | undefined {
    if (this.#isGone) return { kind: 'gone' };
    if (this.#ends === undefined) return undefined;
    return this.#ends === 'timed out'
      ? { kind: 'timed-out', seconds: this.#seconds, place }
      : { kind: 'busy', isDraining: true };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#givenUp.removeEventListener('abort', this.#serverEnds);
    for (const one of this.#gone) one.removeEventListener('abort', this.#left);
  }
}
