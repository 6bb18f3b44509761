import type { Redactor } from '../secrets/redactor.ts';
import type { JsonObject } from '../value/json.ts';
import type { Attempt } from './node-report.ts';
import type { ModelRequest, ModelResult, ModelService, Tool, ToolResult } from './services.ts';

/** Where work belongs in a trace, as W3C Trace Context writes it for whoever is asked next. */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>` */
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  /** Records the calls that are made in it; absent where the context is only handed on. */
  readonly calls?: CallTracer;
  /** To be told within a call of a model that a recording answers: no service is asked. */
  readonly replayed?: () => void;
}

/** Goes round calls to the world that a node makes while it runs. */
export interface CallTracer {
  /** A call of a model, with all its tries. */
  modelCall<Ended extends TracedModelEnd>(call: TracedModelCall, ask: () => Promise<Ended>): Promise<Ended>;
  toolCall(call: TracedToolCall, make: () => Promise<ToolResult>): Promise<ToolResult>;
}

export interface TracedModelCall {
  readonly api: Parameters<ModelService['call']>[0];
  readonly request: ModelRequest;
  readonly provider?: ModelService['provider'];
  readonly isStream: boolean;
  /** Knows the secrets of the row beside those of the flow. */
  readonly redactor?: Redactor | undefined;
}

/** How a call of a model ended, and every try on the way. */
export interface TracedModelEnd {
  readonly result: ModelResult;
  readonly attempts: readonly Attempt[];
}

export interface TracedToolCall {
  readonly tool: Pick<Tool, 'name' | 'description'>;
  readonly given: JsonObject;
  /** As the model numbers its calls. */
  readonly id?: string | undefined;
  /** Knows the secrets of the row beside those of the flow. */
  readonly redactor?: Redactor | undefined;
}

const idPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** The context of two headers, or variables, of W3C Trace Context; undefined where they hold none: it is to be ignored then. */
export function readTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  const given = traceparent?.trim() ?? '';
  if (!idPattern.test(given) || (given.startsWith('00') && given.length !== 55)) return undefined;
  const isState = tracestate !== undefined && /^[\t\x20-\x7e]+$/.test(tracestate);
  return isState ? { traceparent: given, tracestate } : { traceparent: given };
}
