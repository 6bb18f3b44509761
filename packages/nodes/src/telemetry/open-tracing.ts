import { type NodeWrapper, preciseNow, type RunnableFlow } from '@unroll/engine';
import { throwMissing } from '../extras/extras.ts';
import type { Providers } from './providers.ts';
import type { Recorder } from './recorder.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Spans and metrics that are sent as long as it is open. */
export interface Tracing extends AsyncDisposable {
  /** To be given to the flow when it is opened. */
  readonly wrapper: NodeWrapper;
  /** The flow, with a span for each row. */
  flow(flow: RunnableFlow): RunnableFlow;
}

/** Milliseconds that what is left has to arrive in, once all is over. */
const flushMs = 5000;

/**
 * Opens the way of spans and metrics over OTLP (protobuf over HTTP), by OpenTelemetry's own SDK, whose packages are loaded here.
 *
 * @throws PrepareError when they are not installed
 */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const [{ openProviders }, { tracedFlow }, { withSpans }, { operationMetrics }] = await loadParts();
  const providers = openProviders(options);
  const { redactor, capturesContent, parent } = options;
  const recorder: Recorder = {
    source: providers.source,
    metrics: providers.meter === undefined ? undefined : operationMetrics(providers.meter),
    redactor,
    capturesContent,
    now: preciseNow,
  };
  return {
    wrapper: withSpans,
    flow: (flow) => tracedFlow(flow, recorder, parent),
    [Symbol.asyncDispose]: () => inTime(providers, options.onFailure),
  };
}

function loadParts() {
  const parts = [
    import('./providers.ts'),
    import('./traced-flow.ts'),
    import('./with-spans.ts'),
    import('./operation-metrics.ts'),
  ] as const;
  return Promise.all(parts).catch((error: unknown) => throwMissing('otlp', error));
}

/** What cannot be sent does not keep the process. */
async function inTime({ shutdown, unsent }: Providers, onFailure: TracingOptions['onFailure']): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const left = unsent();
    if (left !== undefined) onFailure(left);
    late.resolve();
  }, flushMs);
  await Promise.race([shutdown(), late.promise]);
  clearTimeout(timer);
}
