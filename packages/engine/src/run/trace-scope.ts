import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from '../node/trace-context.ts';

const scope = new AsyncLocalStorage<TraceContext>();

/** Does the work, and all that it begins, in a context. */
export function inTrace<T>(context: TraceContext, work: () => T): T {
  return scope.run(context, work);
}

/** The context of the work that asks; undefined where it belongs to no trace. */
export function currentTrace(): TraceContext | undefined {
  return scope.getStore();
}

const noHeaders: Readonly<Record<string, string>> = {};

/** The headers by which what is asked now joins the trace of who asks: `traceparent`, `tracestate`; none outside of one. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = scope.getStore() ?? {};
  if (traceparent === undefined) return noHeaders;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
