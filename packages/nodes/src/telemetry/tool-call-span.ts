import { type Attributes, type SpanContext, SpanKind } from '@opentelemetry/api';
import { inTrace, redactedError, type ToolResult, type TracedToolCall } from '@unroll/engine';
import { contentOf, fail, type Recorder, startSpan, traceContextOf } from './recorder.ts';

/** A call of a tool that an agent makes: `execute_tool search`. */
export async function spanOfToolCall(
  recorder: Recorder,
  parent: SpanContext,
  call: TracedToolCall,
  make: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { tool, given, id, redactor = recorder.redactor } = call;
  const startTime = recorder.now();
  const attributes: Attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.type': 'function',
    ...(id === undefined ? {} : { 'gen_ai.tool.call.id': id }),
    ...(recorder.capturesContent ? { 'gen_ai.tool.call.arguments': contentOf(redactor, given) } : {}),
  };
  const start = { name: `execute_tool ${tool.name}`, kind: SpanKind.INTERNAL, attributes, startTime };
  const span = startSpan(recorder, parent, start);
  const result = await inTrace(traceContextOf(span), make);
  if (!result.ok) fail(span, redactedError(result.error, redactor));
  else if (recorder.capturesContent) span.setAttribute('gen_ai.tool.call.result', contentOf(redactor, result.content));
  const endTime = recorder.now();
  span.end(endTime);
  const failed = result.ok ? {} : { 'error.type': result.error.code };
  recorder.metrics?.operation(endTime - startTime, { 'gen_ai.operation.name': 'execute_tool', ...failed });
  return result;
}
