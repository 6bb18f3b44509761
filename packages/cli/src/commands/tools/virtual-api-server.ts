import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type JsonValue, stringifyJson } from '@unroll/engine';

export interface ServerReply {
  readonly status: number;
  readonly body: JsonValue;
}

/** Bytes of the largest request that is read. */
const maxBytes = 10 * 2 ** 20;
/** A request whose parts come slower than this is given up. */
const requestTimeoutMs = 30_000;

/**
 * A server for this machine alone, which answers POST /virtual. Nothing that is sent ends it: what breaks off is dropped,
 * what is too large is refused (413), and so is what a page of another site sends (403).
 *
 * @param answer given the text of a request
 * @param onFailure told what went wrong where a request was answered with 500
 */
export function virtualApiServer(
  answer: (body: string) => Promise<ServerReply>,
  onFailure: (error: unknown) => void,
): Server {
  const server = createServer(async (request, response) => {
    const { status, body } = await reply(request, answer).catch((error: unknown): ServerReply => {
      if (!request.complete) return { status: 400, body: { detail: 'the request broke off' } };
      onFailure(error);
      return { status: 500, body: { detail: 'Internal Server Error' } };
    });
    if (response.destroyed) return;
    const isOver = !request.complete;
    response.writeHead(status, { 'content-type': 'application/json', ...(isOver && { connection: 'close' }) });
    response.end(stringifyJson(body), () => {
      if (isOver) request.destroy();
    });
  });
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = requestTimeoutMs;
  return server;
}

async function reply(request: IncomingMessage, answer: (body: string) => Promise<ServerReply>): Promise<ServerReply> {
  if (!isOfThisMachine(request)) return { status: 403, body: { detail: 'Forbidden' } };
  if (request.url !== '/virtual') return { status: 404, body: { detail: 'Not Found' } };
  if (request.method !== 'POST') return { status: 405, body: { detail: 'Method Not Allowed' } };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, body: { detail: 'Content Too Large' } };
  if (!isUtf8(body)) return { status: 400, body: { detail: 'the body holds bytes that are no UTF-8' } };
  return await answer(body.toString('utf8'));
}

/** A page of another site may make a browser send requests here, also by a name of its own for this address. */
function isOfThisMachine({ headers: { host, origin } }: IncomingMessage): boolean {
  return isLocal(`http://${host ?? ''}`) && (origin === undefined || isLocal(origin));
}

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function isLocal(address: string): boolean {
  return URL.canParse(address) && localHosts.has(new URL(address).hostname);
}

/** undefined where it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
