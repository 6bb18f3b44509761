import { type JsonObject, longestTimerMs, type NodeEvent, type Streaming } from '@unroll/engine';
import type { RequestPlace, ServedFlow, ServedRow } from '@unroll/project';
import type { Serving } from './serving.ts';

/** What a request came to: a row, or why none was run to its end. */
export type RequestOutcome =
  | { readonly kind: 'row'; readonly row: ServedRow }
  /** Too many are under way, or the server is about to end. */
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

/** Runs a flow for a request once it is its turn; a client that goes away, and the time limit, stop its nodes. */
export async function runRequest(
  flow: ServedFlow,
  inputs: JsonObject,
  { gone, onEvent, streaming, onPlace }: RequestOptions,
  { gate, requestTimeoutMs, isDraining }: Serving,
): Promise<RequestOutcome> {
  if (isDraining()) return { kind: 'busy', isDraining: true };
  const seconds = requestTimeoutMs / 1000;
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new Error(`the request took longer than ${seconds} s`)),
    Math.min(requestTimeoutMs, longestTimerMs),
  );
  const signal = AbortSignal.any([gone, timeout.signal]);
  const request = flow.begin();
  onPlace?.(request.place);
  try {
    if (!(await gate.enter(signal))) {
      request.drop();
      if (gone.aborted) return { kind: 'gone' };
      return timeout.signal.aborted
        ? { kind: 'timed-out', seconds, place: undefined }
        : { kind: 'busy', isDraining: false };
    }
    try {
      const row = await request.run(inputs, {
        signal,
        ...(onEvent === undefined ? {} : { onEvent }),
        ...(streaming === undefined ? {} : { streaming }),
      });
      if (row.row.status !== 'Canceled') return { kind: 'row', row };
      return gone.aborted ? { kind: 'gone' } : { kind: 'timed-out', seconds, place: row.place };
    } finally {
      gate.leave();
    }
  } finally {
    clearTimeout(timer);
  }
}
