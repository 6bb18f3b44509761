import { createTraceState, type SpanContext, SpanStatusCode } from '@opentelemetry/api';
import type { JsonValue, NodeError, Redactor, TraceContext } from '@unroll/engine';
import { fromLines, stringifyJson } from '@unroll/engine';
import { OpenSpan, type SpanSource, type SpanStart } from './open-span.ts';
import type { OperationMetrics } from './operation-metrics.ts';

/** What spans are made with. */
export interface Recorder {
  readonly source: SpanSource;
  readonly metrics: OperationMetrics | undefined;
  /** Of the flow; a call may have one of its row. */
  readonly redactor: Redactor;
  /** Whether prompts, answers, inputs and outputs are told. */
  readonly capturesContent: boolean;
  /** Milliseconds since the epoch, with fractions. */
  now(): number;
}

/** @param parent undefined begins a trace */
export function startSpan({ source }: Recorder, parent: SpanContext | undefined, start: SpanStart): OpenSpan {
  return new OpenSpan(source, start, parent);
}

/** The context of a span as whoever is asked next is told of it. */
export function traceContextOf(span: OpenSpan): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = traceState?.serialize();
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

/** The span that another program told of. */
export function remoteParent(context: TraceContext | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = context?.traceparent.split('-') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const { tracestate } = context ?? {};
  const traceState = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  const traceFlags = Number.parseInt(flags, 16);
  return { traceId, spanId, traceFlags, isRemote: true, ...traceState };
}

/** Marks a span as failed, with what was raised from what. @param error without secrets, as a record holds it */
export function fail(span: OpenSpan, error: Pick<NodeError, 'code' | 'message' | 'cause'>): void {
  span.setAttribute('error.type', error.code);
  span.status = { code: SpanStatusCode.ERROR, message: [error.message, ...fromLines(error)].join(' — ') };
}

/** A value as an attribute holds it: JSON without the secrets that are known. */
export function contentOf(redactor: Redactor, value: JsonValue): string {
  return stringifyJson(redactor.value(value));
}
