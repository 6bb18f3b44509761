import {
  type Attributes,
  type AttributeValue,
  type HrTime,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { RandomIdGenerator, type ReadableSpan } from '@opentelemetry/sdk-trace';

/** Who makes spans, and what takes those that have ended. */
export interface SpanSource {
  readonly resource: Resource;
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
  readonly onEnd: (span: ReadableSpan) => void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** Are the span's own from then on. */
  readonly attributes: Attributes;
  /** Milliseconds since the epoch, with fractions. */
  readonly startTime: number;
}

const ids = new RandomIdGenerator();
const none: never[] = [];

/**
 * A span as the processors and exporters of OpenTelemetry's SDK read it. The SDK's own tracer makes such spans, too, but searches each
 * attribute that a span begins with twice, each time with a new set: half of what spans cost (bench/README.md). What it
 * searches for, functions and cycles, is in no attribute here (docs/decisions/0018).
 */
export class OpenSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  endTime: HrTime = [0, 0];
  status: SpanStatus = { code: SpanStatusCode.UNSET };
  ended = false;
  readonly links = none;
  readonly events = none;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly #source: SpanSource;
  readonly #context: SpanContext;

  /** @param parent whose trace it goes on with, and whose word it takes on whether spans are sent; undefined begins a trace */
  constructor(source: SpanSource, { name, kind, attributes, startTime }: SpanStart, parent: SpanContext | undefined) {
    this.#source = source;
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    this.startTime = hrTime(startTime);
    const spanId = ids.generateSpanId();
    if (parent === undefined) {
      this.#context = { traceId: ids.generateTraceId(), spanId, traceFlags: TraceFlags.SAMPLED };
      return;
    }
    const { traceId, traceFlags, traceState } = parent;
    this.parentSpanContext = parent;
    this.#context =
      traceState === undefined ? { traceId, spanId, traceFlags } : { traceId, spanId, traceFlags, traceState };
  }

  get resource(): Resource {
    return this.#source.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.#source.instrumentationScope;
  }

  get duration(): HrTime {
    const [seconds, nanos] = this.endTime;
    const [startSeconds, startNanos] = this.startTime;
    const isCarried = nanos < startNanos;
    return [seconds - startSeconds - (isCarried ? 1 : 0), nanos - startNanos + (isCarried ? 1e9 : 0)];
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  setAttribute(key: string, value: AttributeValue): void {
    this.attributes[key] = value;
  }

  setAttributes(attributes: Attributes): void {
    Object.assign(this.attributes, attributes);
  }

  /** @param endTime milliseconds since the epoch, with fractions */
  end(endTime: number): void {
    this.endTime = hrTime(endTime);
    this.ended = true;
    this.#source.onEnd(this);
  }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
}
