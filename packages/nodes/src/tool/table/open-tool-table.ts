import {
  type FingerprintInputs,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  type Tool,
} from '@unroll/engine';
import { attachTools } from '../lambda/index.ts';
import { openScriptFunction, type RunFunction } from './code-tool.ts';
import { openHttpOperation } from './http-tool.ts';
import { openLambda } from './lambda-executor.ts';
import { limitedCall, toolFailure } from './limited-tool.ts';
import { openMcpTools } from './mcp-tools.ts';
import { openPythonFunction } from './python-tool.ts';
import { redactedTool } from './redacted-tool.ts';
import { toolTableParts } from './table-parts.ts';
import { toolTableReads } from './table-reads.ts';
import type { ToolDefinition, ToolExecutor, ToolOperation, ToolTableDefinition } from './tool-definition.ts';
import type { ToolLog } from './tool-log.ts';
import { openVirtualApi } from './toolbench-tool.ts';
import { tracedTool } from './traced-tool.ts';

/** A tool of the table; `operation` tells what it was in its OpenAPI document. */
export interface TableTool extends Tool {
  readonly operation?: ToolOperation;
}

/** The tools of an agent, ready to be called. What they hold open is closed with the flow. */
export interface ToolTable {
  /** In the order they are written. */
  readonly tools: readonly TableTool[];
  /** What an agent may want to tell of them: that the eleventh user program is left out. */
  readonly warnings: readonly string[];
  /** What decides their answers, as the parts of a node. */
  parts(): Promise<FingerprintInputs>;
  /** What the code behind them reads, as of a node; empty where none of them is code of the flow. */
  readonly reads: Pick<PreparedNode, 'reads' | 'readsNow'>;
}

/**
 * Makes the tools of a table ready: loads code, finds connections, starts servers.
 *
 * @param log takes what tools print
 * @throws PrepareError when one of them cannot be made ready
 */
export async function openToolTable(
  definition: ToolTableDefinition,
  context: PrepareContext,
  log: ToolLog = () => undefined,
): Promise<ToolTable> {
  const programs = definition.entries.flatMap((entry) =>
    entry.kind === 'tool' && entry.tool.executor.kind === 'lambda' ? [entry.tool.name] : [],
  );
  const { attached, warning } = attachTools(programs);
  const warnings = warning === undefined ? [] : [warning];
  const tools: TableTool[] = [];
  for (const entry of definition.entries) {
    if (entry.kind === 'mcp') {
      tools.push(...(await openMcpTools(entry.server, context, log, (told) => warnings.push(told))));
      continue;
    }
    const isLeftOut = entry.tool.executor.kind === 'lambda' && !attached.includes(entry.tool.name);
    if (!isLeftOut) tools.push(await openTool(entry.tool, context, log));
  }
  refuseTwice(tools);
  return {
    tools: tools.map((tool) => tracedTool(redactedTool(tool, context.redactor))),
    warnings,
    parts: () => toolTableParts(definition, tools, context),
    reads: toolTableReads(definition, context),
  };
}

/** Names that only a server's list can tell: a model calls tools by their names. */
function refuseTwice(tools: readonly TableTool[]): void {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  const message = `there are two tools "${twice}": give those of an MCP server a prefix`;
  throw new PrepareError({ code: 'ToolLoadError', message, retryable: false });
}

async function openTool(tool: ToolDefinition, context: PrepareContext, log: ToolLog): Promise<TableTool> {
  const { name, description, parameters, effects, returnDirect, timeoutMs, maxBytes, executor, operation } = tool;
  const run = await openExecutor(tool, context, log);
  return {
    name,
    description,
    parameters,
    effects,
    ...(returnDirect ? { returnDirect } : {}),
    ...(executor.kind === 'ends' ? { ends: executor.status } : {}),
    ...(operation === undefined ? {} : { operation }),
    call: limitedCall({ name, parameters, maxBytes, run, ...(isScript(executor) ? {} : { timeoutMs }) }),
  };
}

/** A function in TypeScript or JavaScript, which keeps its time itself. */
function isScript(executor: ToolExecutor): boolean {
  return executor.kind === 'code' && !executor.path.endsWith('.py');
}

function openExecutor(tool: ToolDefinition, context: PrepareContext, log: ToolLog): Promise<RunFunction> | RunFunction {
  const { executor } = tool;
  switch (executor.kind) {
    case 'code': {
      const path = context.files.resolve(executor.path);
      if (path === undefined)
        throw new PrepareError({
          code: 'InvalidSource',
          message: `${executor.path} leads out of the flow's folder`,
          retryable: false,
        });
      const { functionName } = executor;
      return isScript(executor)
        ? openScriptFunction(tool, { path, functionName }, context, log)
        : openPythonFunction(path, functionName, context, log);
    }
    case 'lambda':
      return openLambda(tool, executor, context, log);
    case 'http':
      return openHttpOperation(tool, executor, context, log);
    case 'toolbench':
      return openVirtualApi(tool, executor, context);
    case 'ends':
      return async () => toolFailure('NOT_CALLED', `${tool.name} is not called here: asking for it ends the loop`);
  }
}
