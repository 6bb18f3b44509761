import { type Attributes, SpanKind } from '@opentelemetry/api';
import {
  currentTrace,
  inTrace,
  type JsonObject,
  type NodeEvent,
  type NodeRun,
  type PlanNode,
  type RowError,
  type RowOptions,
  type RunnableFlow,
  stringifyJson,
  type TraceContext,
} from '@unroll/engine';
import type { OpenSpan } from './open-span.ts';
import { type Recorder, remoteParent, startSpan } from './recorder.ts';
import { RowSpans } from './row-spans.ts';

/**
 * The flow with a span for each row, for the aggregation over rows, and for a node that runs alone. It stands below the span
 * that whoever asks told of, else below `parent`. What is told of a row is what its record tells: no secret is in it.
 */
export function tracedFlow(flow: RunnableFlow, recorder: Recorder, parent: TraceContext | undefined): RunnableFlow {
  const { plan } = flow;
  const about = { workflow: plan.name, nodes: new Map(plan.nodes.map((node) => [node.name, node])), parent };
  return {
    ...flow,
    runRow: async (inputs, options = {}) => {
      const begun = beginRow(about, recorder, rowAttributes(options));
      const result = await inTrace(begun.spans, () => flow.runRow(inputs, heard(begun.spans, options)));
      const { row } = result;
      begun.span.setAttribute('unroll.row.status', row.status);
      reportRow(recorder, begun.span, row.inputs, row.outputs);
      endRow(recorder, begun, row.error);
      return result;
    },
    runAggregation: async (rows, options = {}) => {
      if (!plan.nodes.some(({ aggregation }) => aggregation)) return flow.runAggregation(rows, options);
      const { 'unroll.row.line': _ofNoRow, ...ofRun } = rowAttributes(options);
      const begun = beginRow(about, recorder, { ...ofRun, 'unroll.flow.part': 'aggregation' });
      const result = await inTrace(begun.spans, () => flow.runAggregation(rows, heard(begun.spans, options)));
      endRow(recorder, begun, firstError(result.nodes));
      return result;
    },
    runNode: async (node, inputs, options = {}) => {
      const begun = beginRow(about, recorder, { ...rowAttributes(options), 'unroll.flow.part': 'node' });
      const run = await inTrace(begun.spans, () => flow.runNode(node, inputs, options));
      begun.spans.nodeEnded(run);
      endRow(recorder, begun, run.error);
      return run;
    },
  };
}

interface AboutFlow {
  readonly workflow: string;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  readonly parent: TraceContext | undefined;
}

interface Begun {
  readonly span: OpenSpan;
  readonly spans: RowSpans;
  readonly startTime: number;
  readonly workflow: string;
}

function beginRow({ workflow, nodes, parent }: AboutFlow, recorder: Recorder, more: Attributes): Begun {
  const startTime = recorder.now();
  const attributes = { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': workflow, ...more };
  const start = { name: `invoke_workflow ${workflow}`, kind: SpanKind.INTERNAL, attributes, startTime };
  const span = startSpan(recorder, remoteParent(currentTrace() ?? parent), start);
  return { span, spans: new RowSpans(recorder, span, nodes), startTime, workflow };
}

function rowAttributes({ runId, line, repeat = 0 }: RowOptions): Attributes {
  return {
    ...(runId === undefined ? {} : { 'unroll.run.id': runId }),
    ...(line === undefined ? {} : { 'unroll.row.line': line }),
    ...(repeat === 0 ? {} : { 'unroll.row.repeat': repeat }),
  };
}

/** The same options, with the spans of the row told of its nodes that end. */
function heard(spans: RowSpans, options: RowOptions): RowOptions {
  const { onEvent } = options;
  const onTracedEvent = (event: NodeEvent): void => {
    if (event.type === 'node-ended') spans.nodeEnded(event.run);
    onEvent?.(event);
  };
  return { ...options, onEvent: onTracedEvent };
}

function reportRow({ capturesContent }: Recorder, span: OpenSpan, inputs: JsonObject, outputs: JsonObject): void {
  if (!capturesContent) return;
  span.setAttribute('unroll.flow.inputs', stringifyJson(inputs));
  span.setAttribute('unroll.flow.outputs', stringifyJson(outputs));
}

function firstError(nodes: readonly NodeRun[]): NodeRun['error'] {
  return nodes.find(({ error }) => error !== undefined)?.error;
}

function endRow(recorder: Recorder, { spans, startTime, workflow }: Begun, error: RowError | undefined): void {
  spans.end(error);
  const failed = error === undefined ? {} : { 'error.type': error.code };
  recorder.metrics?.workflow(recorder.now() - startTime, { 'gen_ai.workflow.name': workflow, ...failed });
}
