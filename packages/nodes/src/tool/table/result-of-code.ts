import type { NodeOutcome, ToolResult } from '@unroll/engine';
import type { ToolLog } from './tool-log.ts';

export function reportLogs({ report }: NodeOutcome, log: ToolLog): void {
  const { stdout = '', stderr = '' } = report?.logs ?? {};
  if (stdout !== '') log('stdout', stdout);
  if (stderr !== '') log('stderr', stderr);
}

/** What a function of the flow's code gave as the result of a tool: errors are what the function threw. */
export function resultOfCode(outcome: NodeOutcome): ToolResult {
  if (outcome.ok) return { ok: true, content: outcome.output };
  const { cause, trace } = outcome.error;
  const { code, message } = cause ?? outcome.error;
  const error = { code, message, retryable: false, ...(trace === undefined ? {} : { trace }) };
  return { ok: false, toModel: false, error };
}
