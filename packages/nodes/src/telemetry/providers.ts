import { type Meter, TraceFlags } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanSource } from './open-span.ts';
import { reportingExporter } from './reporting-exporter.ts';
import type { TracingOptions } from './tracing-options.ts';

export interface Providers {
  readonly source: SpanSource;
  /** Absent where nobody takes metrics. */
  readonly meter: Meter | undefined;
  /** What has neither arrived nor been given up, and why that may be; undefined where there is nothing. In one line, without secrets. */
  unsent(): string | undefined;
  /** Sends what is left; never rejects. */
  shutdown(): Promise<void>;
}

interface SpanSink extends Pick<SpanProcessor, 'onEnd' | 'shutdown'> {
  unsent(): string | undefined;
}

interface MetricSink {
  readonly meters: MeterProvider;
  unsent(): string | undefined;
}

/** Batches that fit between them what rows end while one is on its way; the exporter sends 30 at once at most. */
const maxWaiting = 32_768;
const maxOfBatch = 2048;

/** The SDK as it is set up here; headers, certificates, time-outs and resource attributes are those of its own variables. */
export function openProviders(options: TracingOptions): Providers {
  const resource = resourceOf(options);
  const name = '@unroll/nodes';
  const version = options.serviceVersion;
  const spans = spansTo(options);
  const metrics = metricsTo(options, resource);
  return {
    source: { resource, instrumentationScope: { name, version }, onEnd: (span) => spans?.onEnd(span) },
    meter: metrics?.meters.getMeter(name, version),
    unsent: () => {
      const left = spans?.unsent() ?? metrics?.unsent();
      return left && options.redactor.message(`${left}: nothing listens there, or it is too busy to take them`);
    },
    shutdown: async () => {
      await Promise.allSettled([spans?.shutdown(), metrics?.meters.shutdown()]);
    },
  };
}

function resourceOf({ serviceVersion }: TracingOptions): Resource {
  const own = resourceFromAttributes({ 'service.name': 'unroll', 'service.version': serviceVersion });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The SDK tells nobody of spans that it has no room for. */
function spansTo({ tracesUrl, onFailure, redactor }: TracingOptions): SpanSink | undefined {
  if (tracesUrl === undefined) return undefined;
  const tell = (message: string): void => onFailure(redactor.message(message));
  let waiting = 0;
  let onTheirWay = 0;
  let isFull = false;
  const exporter = reportingExporter(new OTLPTraceExporter({ url: tracesUrl }), {
    onSend: (batch: readonly unknown[]) => {
      waiting -= batch.length;
      onTheirWay += batch.length;
    },
    onEnd: (batch) => {
      onTheirWay -= batch.length;
    },
    onFailure: (error, batch) => tell(`${notReached(batch.length, tracesUrl)}: ${reasonOf(error)}`),
  });
  const batches = new BatchSpanProcessor({ exporter, maxQueueSize: maxWaiting, maxExportBatchSize: maxOfBatch });
  return {
    onEnd: (span) => {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      const wasFull = isFull;
      isFull = waiting >= maxWaiting;
      if (isFull) {
        if (!wasFull)
          tell(`spans are lost: ${waiting} wait for ${tracesUrl}, which takes them more slowly than they come`);
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    unsent: () => {
      const left = waiting + onTheirWay;
      return left > 0 ? notReached(left, tracesUrl) : undefined;
    },
    shutdown: () => batches.shutdown(),
  };
}

function notReached(spans: number, url: string): string {
  return `${spans} ${spans === 1 ? 'span' : 'spans'} did not reach ${url}`;
}

function metricsTo(options: TracingOptions, resource: Resource): MetricSink | undefined {
  const { metricsUrl, onFailure, redactor } = options;
  if (metricsUrl === undefined) return undefined;
  const missed = `metrics did not reach ${metricsUrl}`;
  let onTheirWay = 0;
  const exporter = reportingExporter(new OTLPMetricExporter({ url: metricsUrl }), {
    onSend: () => {
      onTheirWay += 1;
    },
    onEnd: () => {
      onTheirWay -= 1;
    },
    onFailure: (error) => onFailure(redactor.message(`${missed}: ${reasonOf(error)}`)),
  });
  const meters = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter })] });
  return { meters, unsent: () => (onTheirWay > 0 ? missed : undefined) };
}

/** In one line, as a service or the system said it. */
function reasonOf(error: Error | undefined): string {
  const { code = '', message = 'it was not taken' } = (error ?? {}) as NodeJS.ErrnoException;
  return [message, code].map((part) => `${part}`.replaceAll(/\s+/g, ' ').trim()).find((part) => part !== '') ?? '';
}
