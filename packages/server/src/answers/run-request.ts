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
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
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

/** What ends a request before it has ended by itself. */
class RequestLimits implements Disposable {
  readonly signal: AbortSignal;
  readonly #gone: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #end = new AbortController();
  readonly #givenUp: AbortSignal;
  readonly #seconds: number;
  readonly #timer: NodeJS.Timeout;

  constructor(gone: AbortSignal, { requestTimeoutMs, givenUp }: Serving) {
    this.#gone = gone;
    this.#givenUp = givenUp;
    this.#seconds = requestTimeoutMs / 1000;
    const timedOut = new Error(`the request took longer than ${this.#seconds} s`);
    this.#timer = setTimeout(() => this.#timeout.abort(timedOut), Math.min(requestTimeoutMs, longestTimerMs));
    // Not among those of `any`, which would hold on to every request of a server.
    givenUp.addEventListener('abort', this.#endNow, { once: true });
    this.signal = AbortSignal.any([gone, this.#timeout.signal, this.#end.signal]);
  }

  readonly #endNow = (): void => this.#end.abort(new Error('the server ends'));

  /** Which of them it was; undefined where none was. */
  reason(place: RequestPlace | undefined): RequestOutcome | undefined {
    if (this.#gone.aborted) return { kind: 'gone' };
    if (this.#timeout.signal.aborted) return { kind: 'timed-out', seconds: this.#seconds, place };
    return this.#end.signal.aborted ? { kind: 'busy', isDraining: true } : undefined;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#givenUp.removeEventListener('abort', this.#endNow);
  }
}
