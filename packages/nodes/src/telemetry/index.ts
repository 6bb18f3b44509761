export { openTracing, type Tracing, type TracingOptions } from './open-tracing.ts';
