import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

/** The messages of OTLP as OpenTelemetry publishes them, made from its proto files; by protobufjs. */
const { opentelemetry } = root as unknown as {
  readonly opentelemetry: {
    readonly proto: { readonly collector: Readonly<Record<string, { readonly v1: Messages }>> };
  };
};
type Messages = Readonly<Record<string, MessageType>>;

interface MessageType {
  decode(bytes: Uint8Array): object;
  /** Why it is no such message; null where it is one. */
  verify(message: object): string | null;
  toObject(message: object, options: object): object;
}

export type AttributeValue = string | number | boolean | readonly AttributeValue[];

/** A span as it came. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  /** 1 internal, 3 client. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly isError: boolean;
  readonly message: string;
  readonly traceState: string;
  readonly resource: Readonly<Record<string, AttributeValue>>;
}

/** A point of a histogram as it came. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly count: number;
  readonly sum: number;
  readonly bounds: readonly number[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

export interface OtlpReceiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of the newest export. */
  readonly points: readonly ReceivedPoint[];
  /** All that came, as it came. */
  readonly bytes: readonly Buffer[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** What was not as OTLP wants it. */
  readonly problems: readonly string[];
}

/**
 * A receiver of OTLP over HTTP on the loopback interface. What does not decode, or breaks a rule that the proto files state,
 * is answered with 400 and kept as a problem.
 *
 * @param refuse status that everything is answered with instead
 */
export async function startOtlpReceiver(refuse?: number): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let points: readonly ReceivedPoint[] = [];
  const bytes: Buffer[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const problems: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      headers.push(request.headers);
      const body = unpacked(Buffer.concat(parts), request);
      bytes.push(body);
      try {
        if (request.url === '/v1/traces') spans.push(...readSpans(body, request));
        else if (request.url === '/v1/metrics') points = readPoints(body, request);
        else throw new Error(`there is no ${request.url}`);
        response.writeHead(refuse ?? 200, { 'content-type': 'application/x-protobuf' }).end();
      } catch (error) {
        problems.push(String(error));
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get points() {
      return points;
    },
    bytes,
    headers,
    problems,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function unpacked(body: Buffer, { headers }: IncomingMessage): Buffer {
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

function decoded(type: MessageType | undefined, body: Buffer, { method, headers }: IncomingMessage): object {
  if (type === undefined) throw new Error('OTLP has no such message');
  if (method !== 'POST') throw new Error(`${method} in place of POST`);
  if (headers['content-type'] !== 'application/x-protobuf') throw new Error(`content-type ${headers['content-type']}`);
  const message = type.decode(body);
  const problem = type.verify(message);
  if (problem !== null) throw new Error(problem);
  return type.toObject(message, { longs: Number, defaults: true, arrays: true });
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface AnyValue {
  readonly value?: string;
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
}

interface WireSpan {
  readonly name: string;
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId: Uint8Array;
  readonly traceState: string;
  readonly kind: number;
  readonly startTimeUnixNano: number;
  readonly endTimeUnixNano: number;
  readonly attributes: readonly KeyValue[];
  readonly droppedAttributesCount: number;
  readonly status: { readonly code: number; readonly message: string } | null;
}

function readSpans(body: Buffer, request: IncomingMessage): readonly ReceivedSpan[] {
  const type = opentelemetry.proto.collector['trace']?.v1['ExportTraceServiceRequest'];
  const { resourceSpans } = decoded(type, body, request) as {
    readonly resourceSpans: readonly {
      readonly resource: { readonly attributes: readonly KeyValue[] };
      readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(span, attributesOf(resource.attributes)))),
  );
}

function readSpan(span: WireSpan, resource: ReceivedSpan['resource']): ReceivedSpan {
  const { name, kind, startTimeUnixNano: start, endTimeUnixNano: end, status } = span;
  if (name === '') throw new Error('a span has no name');
  if (span.traceId.length !== 16 || span.traceId.every((byte) => byte === 0)) throw new Error(`${name}: no trace id`);
  if (span.spanId.length !== 8 || span.spanId.every((byte) => byte === 0)) throw new Error(`${name}: no span id`);
  if (![0, 8].includes(span.parentSpanId.length)) throw new Error(`${name}: no id of a parent`);
  if (kind < 1 || kind > 5) throw new Error(`${name}: there is no kind ${kind}`);
  if (start <= 0 || end < start) throw new Error(`${name}: ends before it starts`);
  if (span.droppedAttributesCount > 0) throw new Error(`${name}: attributes were dropped`);
  return {
    name,
    traceId: Buffer.from(span.traceId).toString('hex'),
    spanId: Buffer.from(span.spanId).toString('hex'),
    parentSpanId: Buffer.from(span.parentSpanId).toString('hex'),
    kind,
    startMs: start / 1e6,
    endMs: end / 1e6,
    attributes: attributesOf(span.attributes),
    isError: status?.code === 2,
    message: status?.message ?? '',
    traceState: span.traceState,
    resource,
  };
}

function readPoints(body: Buffer, request: IncomingMessage): readonly ReceivedPoint[] {
  const type = opentelemetry.proto.collector['metrics']?.v1['ExportMetricsServiceRequest'];
  const { resourceMetrics } = decoded(type, body, request) as {
    readonly resourceMetrics: readonly {
      readonly scopeMetrics: readonly {
        readonly metrics: readonly {
          readonly name: string;
          readonly unit: string;
          readonly histogram: {
            readonly dataPoints: readonly {
              readonly count: number;
              readonly sum: number;
              readonly explicitBounds: readonly number[];
              readonly bucketCounts: readonly number[];
              readonly attributes: readonly KeyValue[];
            }[];
          };
        }[];
      }[];
    }[];
  };
  const metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return metrics.flatMap(({ name: metric, unit, histogram }) =>
    histogram.dataPoints.map(({ count, sum, explicitBounds, bucketCounts, attributes }) => {
      if (bucketCounts.length !== explicitBounds.length + 1) throw new Error(`${metric}: buckets without bounds`);
      return { metric, unit, count, sum, bounds: explicitBounds, attributes: attributesOf(attributes) };
    }),
  );
}

function attributesOf(pairs: readonly KeyValue[]): Readonly<Record<string, AttributeValue>> {
  const keys = pairs.map(({ key }) => key);
  if (keys.includes('') || new Set(keys).size < keys.length) throw new Error(`keys of attributes: ${keys.join(', ')}`);
  return Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]));
}

function readValue(given: AnyValue): AttributeValue {
  const { stringValue, intValue, doubleValue, boolValue, arrayValue } = given;
  const plain = stringValue ?? intValue ?? doubleValue ?? boolValue;
  if (plain !== undefined && plain !== null) return plain;
  if (arrayValue === undefined) throw new Error(`an attribute has no value: ${JSON.stringify(given)}`);
  return arrayValue.values.map(readValue);
}
