import {
  didYouMean,
  type NodeError,
  type PrepareContext,
  PrepareError,
  type Tool,
  type ToolResult,
  textOrJson,
} from '@unroll/engine';
import { requireConnection } from '../../connections/find-connection.ts';
import { requireExtra } from '../../extras/extras.ts';
import { quoted } from '../../http/quoted.ts';
import {
  type ListedTools,
  McpClient,
  type McpContent,
  type McpServer,
  type McpToolDescription,
} from '../../mcp/index.ts';
import { limitedCall, toolFailure } from './limited-tool.ts';
import type { ToolLog } from './tool-log.ts';
import { toolNamePattern } from './tool-schema.ts';
import { uniqueToolNames } from './unique-tool-names.ts';

/**
 * The tools of a server that the flow allows, in the order it names them. The server is started, or asked, now; it is
 * closed with the flow.
 *
 * @param warn told of what its list leaves open
 * @throws PrepareError when it cannot be reached, or does not have a tool that is allowed
 */
export async function openMcpTools(
  server: McpServer,
  context: PrepareContext,
  log: ToolLog,
  warn: (message: string) => void,
): Promise<readonly Tool[]> {
  requireExtra('mcp');
  const { name, transport, allow } = server;
  const connectionName = transport.connection;
  const connection =
    connectionName === undefined ? undefined : requireConnection(connectionName, name, context.connections);
  const { configs = {}, secrets = {} } = connection ?? {};
  const { files, redactor } = context;
  const redact = (text: string): string => redactor.message(text);
  const onDoubt = (doubt: string): void => log('stderr', `${doubt}\n`);
  const client = new McpClient(server, { folder: files.folder, configs, secrets, redactor, onDoubt });
  context.onClose(() => client.close());
  const { tools: offered, unusable } = await listed(client, server);
  const ownNames = uniqueToolNames(allow.map((allowed) => `${server.prefix}${allowed}`));
  return allow.map((allowed, at) => {
    const [found, ...others] = offered.filter((one) => one.name === allowed);
    if (others.length > 0)
      warn(`MCP server "${name}" lists ${others.length + 1} tools of the name "${allowed}": the first is offered`);
    if (found !== undefined) return mcpTool(ownNames[at] ?? '', found, client, server);
    const problem = unusable.get(allowed);
    if (problem !== undefined)
      throw new PrepareError(failure(`MCP server "${name}" has a tool "${allowed}" that cannot be used: ${problem}`));
    const names = offered.map((one) => one.name);
    const told = [didYouMean(allowed, names) ?? [], `it has ${quoted(names.join(', '), redact) ?? 'none'}`].flat();
    throw new PrepareError(failure(`MCP server "${name}" has no tool "${allowed}"; ${told.join(' ')}`));
  });
}

async function listed(client: McpClient, { name }: McpServer): Promise<ListedTools> {
  try {
    return await client.listTools();
  } catch (thrown) {
    throw new PrepareError(failure(`MCP server "${name}" cannot be asked: ${(thrown as Error).message}`));
  }
}

function failure(message: string): NodeError {
  return { code: 'ToolLoadError', message, retryable: false };
}

function mcpTool(name: string, described: McpToolDescription, client: McpClient, server: McpServer): Tool {
  const { timeoutMs, maxBytes } = server;
  if (!toolNamePattern.test(name)) {
    throw new PrepareError(failure(`"${name}" of MCP server "${server.name}" can be no name of a tool`));
  }
  const { description, inputSchema: parameters } = described;
  const run = async (...[given, { signal }]: Parameters<Tool['call']>): Promise<ToolResult> => {
    const answer = await client.callTool(described.name, given, signal);
    if (answer.ok) return readContent(answer.content);
    const { message, ok: _, ...more } = answer;
    return toolFailure('MCP_FAILED', message, false, more);
  };
  return {
    name,
    description,
    parameters,
    effects: described.isReadOnly ? 'reads' : 'writes',
    call: limitedCall({ name, parameters, timeoutMs, maxBytes, run }),
  };
}

/** Texts, joined; data where they say nothing. An error of the tool itself is for the model to read (Model Context Protocol, Tools, Error Handling). */
function readContent({ isError, parts, data }: McpContent): ToolResult {
  const isBlank = parts.every(({ text, isLeftOut }) => isLeftOut || text.trim() === '');
  if (!isError && isBlank && data === undefined && parts.some(({ isLeftOut }) => isLeftOut)) {
    return toolFailure('BINARY_RESULT', 'the tool answered with what is no text');
  }
  const text = parts.map((part) => part.text).join('\n');
  if (!isError) return { ok: true, content: isBlank && data !== undefined ? textOrJson(data) : text };
  const said = isBlank ? textOrJson(data ?? 'the tool failed and said nothing') : text;
  return toolFailure('TOOL_FAILED', said, true);
}
