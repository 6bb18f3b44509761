import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { didYouMean, type JsonObject } from '@unroll/engine';
import { requireExtra } from '../extras/extras.ts';
import { isUnfit, unfitMember } from './mcp-words.ts';

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
  const twice = repeatedId(body);
  if (twice !== undefined)
    return refusal(invalidRequest, `two requests of one batch have the id ${JSON.stringify(twice)}`);
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
    if (tool === undefined) throw unknownTool(params.name, tools);
    return toolResult(await tool.call((params.arguments ?? {}) as JsonObject));
  });
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(tellingInWords(transport as Transport));
  return await transport.handleRequest(request, { parsedBody: body });
}

/** Codes of https://www.jsonrpc.org/specification#error_object. */
const invalidRequest = -32600;
const invalidParams = -32602;
const parseError = -32700;
const internalError = -32603;

/** What is no JSON, or no text. */
export function refuseUnparsed(reason: string): Response {
  return refusal(parseError, `Parse error: ${reason}`);
}

function refusal(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status: 400 });
}

/** Of two requests with one id only one would be answered. */
function repeatedId(body: unknown): unknown {
  if (!Array.isArray(body)) return undefined;
  const ids = body.flatMap((message: { readonly id?: unknown; readonly method?: unknown } | null) =>
    message?.method === undefined ? [] : (message.id ?? []),
  );
  return ids.find((id, at) => ids.indexOf(id) !== at);
}

function unknownTool(name: string, tools: readonly OfferedTool[]): Error {
  const meant = didYouMean(
    name,
    tools.map((tool) => tool.name),
  );
  const message = [`there is no tool ${JSON.stringify(name)}`, meant ?? []].flat().join('; ');
  return Object.assign(new Error(message), { code: invalidParams });
}

/** The protocol's package tells parameters of another shape as a mistake of its own, with all that its schemas say of them. */
function tellingInWords(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(inWords(message), options);
  return transport;
}

function inWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== internalError) return message;
  const unfit = { issues: issuesIn(message.error.message) };
  const member = isUnfit(unfit) ? unfitMember(unfit) : undefined;
  return member === undefined ? message : { ...message, error: { code: invalidParams, message: member } };
}

function issuesIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
