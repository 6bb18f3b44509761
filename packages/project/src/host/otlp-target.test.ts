import { expect, test } from 'vitest';
import { otlpTarget } from './otlp-target.ts';

const none = { capturesContent: false, parent: undefined, doubts: [], isAsked: false };
const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const traces = 'http://h:4318/v1/traces';
const metrics = 'http://h:4318/v1/metrics';

test.for([
  { environment: {}, target: undefined },
  { environment: { [endpoint]: ' ' }, target: undefined },
  { environment: { [endpoint]: 'http://h:4318' }, target: { ...none, tracesUrl: traces, metricsUrl: metrics } },
  { environment: { [endpoint]: 'http://h:4318/' }, target: { ...none, tracesUrl: traces, metricsUrl: metrics } },
  { environment: { [endpoint]: 'http://h:4318', OTEL_SDK_DISABLED: 'TRUE' }, target: undefined },
  {
    environment: { [endpoint]: 'http://h:4318', OTEL_METRICS_EXPORTER: 'none' },
    target: { ...none, tracesUrl: traces, metricsUrl: undefined },
  },
  {
    environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/otel' },
    target: { ...none, tracesUrl: 'https://t/otel', metricsUrl: undefined },
  },
  {
    environment: { [endpoint]: 'http://h:4318', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://m/x' },
    target: { ...none, tracesUrl: traces, metricsUrl: 'https://m/x' },
  },
  {
    environment: { [endpoint]: 'http://h:4318', OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'True' },
    target: { ...none, tracesUrl: traces, metricsUrl: metrics, capturesContent: true },
  },
  {
    environment: { [endpoint]: 'h:4317' },
    target: {
      ...none,
      tracesUrl: undefined,
      metricsUrl: undefined,
      doubts: [`${endpoint} is no http address: spans and metrics do not go there`],
    },
  },
  {
    environment: { [endpoint]: 'http://h:4318', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    target: {
      ...none,
      tracesUrl: traces,
      metricsUrl: metrics,
      doubts: ['OTEL_EXPORTER_OTLP_PROTOCOL is grpc: spans and metrics go out as http/protobuf'],
    },
  },
])('$environment', ({ environment, target }) => {
  expect(otlpTarget(environment)).toEqual(target);
});

test('an address that is given wins over the variables, and is to be one', () => {
  const environment = { [endpoint]: 'http://other', OTEL_SDK_DISABLED: 'true' };
  expect(otlpTarget(environment, 'http://h:4318')).toEqual({
    ...none,
    tracesUrl: traces,
    metricsUrl: metrics,
    isAsked: true,
  });
  expect(() => otlpTarget({}, 'h')).toThrow('--otlp takes the http address of a receiver, not "h"');
});
