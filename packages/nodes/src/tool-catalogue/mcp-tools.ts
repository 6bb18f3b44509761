import { Redactor, thrownText } from '@unroll/engine';
import { McpClient } from '../mcp/mcp-client.ts';
import type { ReadTools } from './catalogue-tool.ts';
import { describedTool } from './read-tools.ts';

export interface McpPlace {
  /** What its tools belong to in the catalogue. */
  readonly name: string;
  /** An address (`https://…/mcp`), or a command with its arguments. */
  readonly target: string;
  /** Where a command is started; absolute. */
  readonly folder: string;
}

/** Milliseconds the handshake of an address, and its list, may take. */
const timeoutMs = 30_000;

/** The tools of a running MCP server, by its `tools/list`, all pages. A server that cannot be asked is a mistake. */
export async function readMcpTools({ name, target, folder }: McpPlace): Promise<ReadTools> {
  const [command = '', ...given] = target.split(/\s+/);
  const transport = /^https?:\/\//.test(target)
    ? ({ kind: 'http', url: target } as const)
    : ({ kind: 'stdio', command, arguments: given, environment: {} } as const);
  const server = { name, transport, allow: [], prefix: '', timeoutMs, maxBytes: 0 };
  const client = new McpClient(server, { folder, configs: {}, secrets: {}, redactor: new Redactor() });
  try {
    const { tools, unusable } = await client.listTools();
    const strange = [...unusable].map(
      ([tool, problem]) => `the tool ${JSON.stringify(tool)} cannot be used: ${problem}`,
    );
    const read = [...tools.map((tool) => describedTool({ ...tool }, name)), ...strange];
    return {
      tools: read.flatMap((tool) => (typeof tool === 'string' ? [] : [{ tool, place: name }])),
      mistakes: read.flatMap((tool) => (typeof tool === 'string' ? [{ place: name, message: tool }] : [])),
    };
  } catch (thrown) {
    const message = `the MCP server cannot be asked: ${thrownText(thrown)}`;
    return { tools: [], mistakes: [{ place: name, message }] };
  } finally {
    await client.close();
  }
}
