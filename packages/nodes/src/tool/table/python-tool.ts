import { type NodeDefinition, type PrepareContext, rowAlone } from '@unroll/engine';
import { preparePythonFunction } from '../../python/prepare-python-node.ts';
import type { RunFunction } from './code-tool.ts';
import { reportLogs, resultOfCode } from './result-of-code.ts';
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
    const outcome = await prepared.run(given, { runId: 'tool', line, node, signal, flowInputs: {}, row: rowAlone() });
    reportLogs(outcome, log);
    return resultOfCode(outcome);
  };
}
