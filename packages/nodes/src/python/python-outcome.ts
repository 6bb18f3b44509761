import type { NodeDefinition, NodeOutcome, NodeReport } from '@unroll/engine';
import { reportOfCalls } from '../openai/calls-of-code.ts';
import { executionError } from './python-error.ts';
import { crashedError } from './worker-end.ts';
import type { LoadRequest, PoolResult, WorkerPool } from './worker-pool.ts';
import type { ReplyReport } from './worker-reply.ts';

export interface LoadablePythonNode {
  readonly pool: WorkerPool;
  readonly load: LoadRequest;
  readonly definition: NodeDefinition;
  /** Hides the secrets of the node's connections in what its code says. */
  readonly redact: (text: string) => string;
}

export function outcomeOf(result: PoolResult, node: string, { definition, redact }: LoadablePythonNode): NodeOutcome {
  if ('stopped' in result) {
    const message = `node '${node}' was stopped`;
    return { ok: false, canceled: true, error: { code: 'Canceled', message, retryable: true } };
  }
  if ('crashed' in result) {
    const logs = { stdout: '', stderr: redact(result.stderr) };
    return { ok: false, error: crashedError(result.crashed), ...(result.stderr !== '' && { report: { logs } }) };
  }
  const report = reportOf(result.report, definition.aggregation, redact);
  const reported = report === undefined ? undefined : { report };
  if (result.ok) {
    const { value: output, changed, kept, live, shared, shown, inexact, scalar } = result;
    const more = {
      ...(changed !== undefined && { changed }),
      ...(kept !== undefined && { kept }),
      ...(live !== undefined && { live }),
      ...(shared !== undefined && { shared }),
      ...(shown !== undefined && { shown: redact(shown) }),
    };
    const known = { ...(inexact !== undefined && { inexact }), ...(scalar !== undefined && { original: scalar }) };
    return { ok: true, output, ...reported, ...more, ...known };
  }
  return { ok: false, error: executionError(result.failure, node, redact), ...reported };
}

/** Metrics count in aggregation nodes only, as in Prompt flow. */
function reportOf(
  { logs, metrics, modelCalls }: ReplyReport,
  isAggregation: boolean,
  redact: (text: string) => string,
): NodeReport | undefined {
  const kept = isAggregation ? metrics : undefined;
  if (logs === undefined && kept === undefined && modelCalls === undefined) return undefined;
  return {
    ...(modelCalls !== undefined && reportOfCalls(modelCalls)),
    ...(logs !== undefined && { logs: { stdout: redact(logs.stdout), stderr: redact(logs.stderr) } }),
    ...(kept !== undefined && { metrics: kept }),
  };
}
