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
  /** Sends what is left; never rejects. */
  shutdown(): Promise<void>;
}

type SpanSink = Pick<SpanProcessor, 'onEnd' | 'shutdown'>;

/** Batches that fit between them what rows end while one is on its way; the exporter sends 30 at once at most. */
const maxWaiting = 32_768;
const maxOfBatch = 2048;

/** The SDK as it is set up here; headers, certificates, time-outs and resource attributes are those of its own variables. */
export function openProviders(options: TracingOptions): Providers {
  const resource = resourceOf(options);
  const name = '@unroll/nodes';
  const version = options.serviceVersion;
  const spans = spansTo(options);
  const meters = metricsTo(options, resource);
  return {
    source: { resource, instrumentationScope: { name, version }, onEnd: (span) => spans?.onEnd(span) },
    meter: meters?.getMeter(name, version),
    shutdown: async () => {
      await Promise.allSettled([spans?.shutdown(), meters?.shutdown()]);
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
  let isFull = false;
  const exporter = reportingExporter(new OTLPTraceExporter({ url: tracesUrl }), {
    onSend: (batch: readonly unknown[]) => {
      waiting -= batch.length;
    },
    onFailure: (error, batch) => tell(`${batch.length} spans did not reach ${tracesUrl}: ${reasonOf(error)}`),
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
    shutdown: () => batches.shutdown(),
  };
}

function metricsTo({ metricsUrl, onFailure, redactor }: TracingOptions, resource: Resource): MeterProvider | undefined {
  if (metricsUrl === undefined) return undefined;
  const exporter = reportingExporter(new OTLPMetricExporter({ url: metricsUrl }), {
    onFailure: (error) => onFailure(redactor.message(`metrics did not reach ${metricsUrl}: ${reasonOf(error)}`)),
  });
  return new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter })] });
}

/** In one line, as a service or the system said it. */
function reasonOf(error: Error | undefined): string {
  const { code = '', message = 'it was not taken' } = (error ?? {}) as NodeJS.ErrnoException;
  return [message, code].map((part) => `${part}`.replaceAll(/\s+/g, ' ').trim()).find((part) => part !== '') ?? '';
}
