import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request in whatever way it likes. */
export type RawAnswer = (response: ServerResponse) => void;

export interface RawServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Requests heard so far. */
  readonly count: () => number;
  answerWith(answer: (request: number) => RawAnswer): void;
}

/** A server on the loopback interface that keeps to no contract: for what services do wrong. */
export async function startRawServer(): Promise<RawServer> {
  let count = 0;
  let answerTo: (request: number) => RawAnswer = () => (response) => response.writeHead(500).end();
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      count += 1;
      answerTo(count - 1)(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    answerWith: (answer) => {
      answerTo = answer;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(body: unknown, status = 200): RawAnswer {
  return (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
}

/** Server-sent events; `isCut`: the connection breaks off after them. */
export function events(parts: readonly unknown[], isCut = false): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`).join('');
    if (isCut) response.write(text, () => response.destroy());
    else response.end(text);
  };
}
