import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '@unroll/engine';
import { onTestFinished } from 'vitest';

/** A message that a client of MCP sends. */
export interface Asked {
  readonly id?: number;
  /** Absent of an answer. */
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string; readonly cursor?: string };
}

export type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

export interface HostileBehaviour {
  /** What is done when the tool `bad` is called. */
  readonly bad: Answer;
  /** What is done when a stream is asked for. */
  readonly stream: Answer;
  /** The method to which it says nothing. */
  readonly silentTo: string;
  readonly tools: readonly JsonObject[];
  /** After each page of tools comes another. */
  readonly hasMorePages: boolean;
  /** Over so many pages the tools are listed. */
  readonly pages: number;
}

interface HostileServer {
  readonly url: string;
  /** Ids of the events after which a stream was asked for again. */
  readonly gets: readonly string[];
  /** How many of its own requests were answered. */
  answered(): number;
}

/** Listens on the loopback interface until the test has finished. */
export async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const http = createServer(answer);
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** A server of MCP that behaves but for what the test says; its tool `good` says `fine`. */
export async function hostileServer({
  bad = () => undefined,
  stream = (_, response) => response.writeHead(405).end(),
  silentTo,
  tools = ['bad', 'good'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  hasMorePages = false,
  pages = 1,
}: Partial<HostileBehaviour>): Promise<HostileServer> {
  const gets: string[] = [];
  let answers = 0;
  const url = await listen(async (request, response) => {
    if (request.method !== 'POST') {
      gets.push(String(request.headers['last-event-id']));
      return stream({ method: 'GET' }, response, request);
    }
    const asked = JSON.parse(await text(request)) as Asked;
    if (asked.method === undefined) answers += 1;
    else if (asked.method === silentTo) return;
    if (asked.id === undefined || asked.method === undefined) return void response.writeHead(202).end();
    if (asked.params?.name === 'bad') return bad(asked, response, request);
    json(response, result(asked, answerOf(asked, pageOf(asked, tools, pages), hasMorePages)));
  });
  return { url, gets, answered: () => answers };
}

interface ToolPage {
  readonly tools: readonly JsonObject[];
  readonly nextCursor?: string;
}

function pageOf({ params }: Asked, tools: readonly JsonObject[], pages: number): ToolPage {
  if (pages === 1) return { tools };
  const at = Number(params?.cursor ?? 0);
  const size = Math.ceil(tools.length / pages);
  const next = at + 1 < pages ? { nextCursor: String(at + 1) } : {};
  return { tools: tools.slice(at * size, (at + 1) * size), ...next };
}

function answerOf({ id, method, params }: Asked, page: ToolPage, hasMorePages: boolean): object {
  const serverInfo = { name: 's', version: '1' };
  if (method === 'initialize') {
    return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { ...page, ...(hasMorePages ? { nextCursor: String(id) } : {}) };
  return { content: [{ type: 'text', text: 'fine' }] };
}

export function result({ id }: Asked, value: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: value });
}

export function json(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** Writes a piece for as long as somebody takes it. */
export function flood(response: ServerResponse, piece: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
