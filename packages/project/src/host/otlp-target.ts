import { readTraceContext, type TraceContext } from '@unroll/engine';
import { ProjectFailure } from './project-failure.ts';

/** Where spans and metrics go, and what they tell. */
export interface OtlpTarget {
  /** Absent: no spans. */
  readonly tracesUrl?: string | undefined;
  /** Absent: no metrics. */
  readonly metricsUrl?: string | undefined;
  readonly capturesContent: boolean;
  /** Of whoever started this process (`TRACEPARENT`). */
  readonly parent?: TraceContext | undefined;
  /** What of the variables is not as it should be; it is told, and nothing is sent where no address is left. */
  readonly doubts: readonly string[];
  /** Whether it was asked for by an option: then it has to be possible. */
  readonly isAsked: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where OpenTelemetry's variables, or an address given for this run, say that spans go; undefined where they say nothing.
 *
 * @param given of a receiver, without the path of a signal: `http://localhost:4318`
 * @throws ProjectFailure where `given` is no address
 */
export function otlpTarget(environment: Variables, given?: string): OtlpTarget | undefined {
  if (given !== undefined && !isAddress(given)) {
    throw new ProjectFailure(`--otlp takes the http address of a receiver, not "${given}"`, {
      help: 'For instance: --otlp http://localhost:4318',
    });
  }
  if (given === undefined && isSet(environment, 'OTEL_SDK_DISABLED', 'true')) return undefined;
  const doubts: string[] = [];
  const signals = ['traces', 'metrics'] as const;
  const [tracesUrl, metricsUrl] = signals.map((signal) => urlOf(signal, environment, given, doubts));
  if (tracesUrl === undefined && metricsUrl === undefined && doubts.length === 0) return undefined;
  reportProtocol(environment, doubts);
  return {
    tracesUrl,
    metricsUrl,
    capturesContent: isSet(environment, 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', 'true', 'span_only', '1'),
    parent: readTraceContext(environment['TRACEPARENT'], environment['TRACESTATE']),
    doubts,
    isAsked: given !== undefined,
  };
}

function urlOf(
  signal: 'traces' | 'metrics',
  environment: Variables,
  given: string | undefined,
  doubts: string[],
): string | undefined {
  const upper = signal.toUpperCase();
  if (isSet(environment, `OTEL_${upper}_EXPORTER`, 'none')) return undefined;
  const own = `OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`;
  const shared = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const ofSignal = given === undefined ? variable(environment, own) : undefined;
  const base = given ?? variable(environment, shared);
  const url = ofSignal ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/${signal}`);
  if (url === undefined || isAddress(url)) return url;
  const name = ofSignal === undefined ? shared : own;
  const doubt = `${name} is no http address: spans and metrics do not go there`;
  if (!doubts.includes(doubt)) doubts.push(doubt);
  return undefined;
}

/** One that this program does not speak: the receiver may well take the other at the same address. */
function reportProtocol(environment: Variables, doubts: string[]): void {
  const protocol = variable(environment, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === undefined || protocol === 'http/protobuf') return;
  doubts.push(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: spans and metrics go out as http/protobuf`);
}

function variable(environment: Variables, name: string): string | undefined {
  const value = environment[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}

function isSet(environment: Variables, name: string, ...values: readonly string[]): boolean {
  return values.includes(variable(environment, name)?.toLowerCase() ?? '');
}

function isAddress(given: string): boolean {
  return URL.canParse(given) && ['http:', 'https:'].includes(new URL(given).protocol);
}
