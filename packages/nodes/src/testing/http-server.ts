import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpRequestSeen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface HttpReply {
  readonly status?: number;
  readonly body: unknown;
}

export interface HttpServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly HttpRequestSeen[];
}

/**
 * A server on the loopback interface for one service.
 *
 * @param answer what the service's published contract makes of a request: a refusal where it does not hold
 */
export async function startHttpServer(answer: (request: HttpRequestSeen) => HttpReply): Promise<HttpServer> {
  const requests: HttpRequestSeen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const body = Buffer.concat(parts).toString('utf8');
      const seen = { method: request.method ?? '', url, headers: request.headers, body };
      requests.push(seen);
      const reply = answer(seen);
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
