import type { JsonObject } from '@unroll/engine';
import { requireExtra } from '../extras/extras.ts';

/** A tool that a server of ours offers. */
export interface OfferedTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** What went wrong is an answer too: it never rejects for a failure of the world. */
  call(given: JsonObject): Promise<ToolOutcome>;
}

export type ToolOutcome = {
  /** Beside the answer, by names of the protocol's form. */
  readonly meta: Readonly<Record<string, string>>;
} & (
  | { readonly ok: true; readonly output: JsonObject; readonly text: string }
  | { readonly ok: false; readonly message: string }
);

export interface McpOffer {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly OfferedTool[];
}

/**
 * Answers one request of the Model Context Protocol over streamable HTTP, each by itself: nothing is kept between two of them, so that
 * any server of several may be asked. The answer is a stream of events, which may be long in coming.
 *
 * @param body of the request, parsed
 * @throws PrepareError in one line where the protocol's package is not installed
 */
export async function answerMcp(request: Request, body: unknown, offer: McpOffer): Promise<Response> {
  requireExtra('mcpServer');
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { name, version, tools } = offer;
  // The server that is not deprecated takes schemas of zod alone.
  const server = new Server({ name, version }, { capabilities: { tools: {} } });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.map(describedTool) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find((one) => one.name === params.name);
    if (tool === undefined) throw new types.McpError(types.ErrorCode.InvalidParams, `there is no tool ${params.name}`);
    return toolResult(await tool.call((params.arguments ?? {}) as JsonObject));
  });
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  return await transport.handleRequest(request, { parsedBody: body });
}

function describedTool({ name, description, inputSchema, outputSchema }: OfferedTool) {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    outputSchema: { ...outputSchema, type: 'object' as const },
  };
}

function toolResult(outcome: ToolOutcome) {
  const { meta: _meta } = outcome;
  const content = (text: string) => [{ type: 'text' as const, text }];
  if (!outcome.ok) return { _meta, content: content(outcome.message), isError: true };
  return { _meta, content: content(outcome.text), structuredContent: { ...outcome.output } };
}
