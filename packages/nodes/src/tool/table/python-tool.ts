import type { NodeDefinition, NodeOutcome, PrepareContext, ToolResult } from '@unroll/engine';
import { preparePythonFunction } from '../../python/prepare-python-node.ts';
import type { RunFunction } from './code-tool.ts';
import type { ToolLog } from './tool-log.ts';

/**
 * A function of a Python file, called in one of the flow's worker processes with its arguments by name. One that does not
 * end in time is ended with its process; other calls run in processes of their own.
 *
 * @param path absolute
 * @throws PrepareError when there is no Python, or no such function
 */
export async function openPythonFunction(
  path: string,
  functionName: string,
  context: PrepareContext,
  log: ToolLog,
): Promise<RunFunction> {
  const definition: NodeDefinition = {
    name: `tool ${functionName} of ${path}`,
    type: 'python',
    inputs: {},
    aggregation: false,
    settings: {},
    locate: () => undefined,
  };
  const prepared = await preparePythonFunction(definition, { path, functionName }, context);
  return async (given, { signal, caller }) => {
    const { node = functionName, line = 0 } = caller ?? {};
    // A row of its own, so that ending this call ends no other.
    const outcome = await prepared.run(given, { runId: 'tool', line, node, signal, flowInputs: {} });
    tellLogs(outcome, log);
    return resultOf(outcome);
  };
}

function tellLogs({ report }: NodeOutcome, log: ToolLog): void {
  const { stdout = '', stderr = '' } = report?.logs ?? {};
  if (stdout !== '') log('stdout', stdout);
  if (stderr !== '') log('stderr', stderr);
}

function resultOf(outcome: NodeOutcome): ToolResult {
  if (outcome.ok) return { ok: true, content: outcome.output };
  const { cause, trace } = outcome.error;
  const { code, message } = cause ?? outcome.error;
  const error = { code, message, retryable: false, ...(trace === undefined ? {} : { trace }) };
  return { ok: false, toModel: false, error };
}
