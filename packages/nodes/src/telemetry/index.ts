export { openTracing, type Tracing } from './open-tracing.ts';
export type { TracingOptions } from './tracing-options.ts';
