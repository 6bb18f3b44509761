import type { Redactor, TraceContext } from '@unroll/engine';

/** What spans and metrics are sent with. */
export interface TracingOptions {
  /** Where spans go, `…/v1/traces`; absent: nowhere. */
  readonly tracesUrl?: string | undefined;
  /** Where metrics go, `…/v1/metrics`; absent: nowhere. */
  readonly metricsUrl?: string | undefined;
  readonly serviceVersion: string;
  /** Whether prompts, answers, inputs and outputs are told. */
  readonly capturesContent: boolean;
  /** Below which all stands that nobody else gives a span for. */
  readonly parent?: TraceContext | undefined;
  readonly redactor: Redactor;
  /** Told of what did not arrive, without secrets; in one line. */
  readonly onFailure: (message: string) => void;
}
