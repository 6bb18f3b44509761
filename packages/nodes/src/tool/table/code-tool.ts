import {
  type JsonObject,
  type NodeOutcome,
  type PrepareContext,
  PrepareError,
  rowAlone,
  type ToolCall,
  type ToolResult,
} from '@unroll/engine';
import { type CodeHost, openCodeHost } from '../../code/code-host.ts';
import { exportedPlace } from '../../code/code-place.ts';
import { loadError } from '../../code/load-error.ts';
import { toolFailure } from './limited-tool.ts';
import { reportLogs, resultOfCode } from './result-of-code.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { ToolLog } from './tool-log.ts';

/** Runs one function of the flow's code with the arguments of a call. */
export type RunFunction = (given: JsonObject, call: ToolCall) => Promise<ToolResult>;

/**
 * A function that a TypeScript or JavaScript file exports, called with its arguments as one object and with
 * `{signal, environment, log}`. It keeps the tool's time limit itself: a call may wait for others before it begins.
 *
 * @param path absolute
 * @throws PrepareError when the file cannot be imported or does not export the function
 */
export async function openScriptFunction(
  { name, timeoutMs }: Pick<ToolDefinition, 'name' | 'timeoutMs'>,
  place: { readonly path: string; readonly functionName: string },
  context: PrepareContext,
  log: ToolLog,
): Promise<RunFunction> {
  const host = await loadHost(place, context);
  return async (given, call) => {
    const outcome = await runHosted(host, given, call, { name, timeoutMs });
    reportLogs(outcome, log);
    if (outcome.ok || outcome.error.code !== 'NodeTimeout') return resultOfCode(outcome);
    return toolFailure('TIMEOUT', `${name} did not answer within ${timeoutMs / 1000} s`);
  };
}

async function loadHost(
  { path, functionName }: { readonly path: string; readonly functionName: string },
  context: PrepareContext,
): Promise<CodeHost> {
  const host = openCodeHost(exportedPlace(path, 'tool', functionName), context, { isAggregation: false });
  const loaded = await host.load();
  if (!loaded.ok) throw new PrepareError(loadError(loaded, path));
  return host;
}

async function runHosted(
  host: CodeHost,
  given: JsonObject,
  { signal, caller }: ToolCall,
  { name, timeoutMs }: Pick<ToolDefinition, 'name' | 'timeoutMs'>,
): Promise<NodeOutcome> {
  const { line = 0 } = caller ?? {};
  return await host.run(given, {
    runId: 'tool',
    line,
    node: name,
    signal,
    timeLimitMs: timeoutMs,
    flowInputs: {},
    row: rowAlone(),
  });
}
