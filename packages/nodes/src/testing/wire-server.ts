import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Asked, Json, Said, Wire } from './wire.ts';

/** What a service does with one request that holds. */
export interface WireReply {
  readonly said?: Said;
  /** A refusal in place of an answer. */
  readonly refused?: {
    readonly status: number;
    readonly message: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** The stream ends in the middle. */
  readonly isCut?: boolean;
}

export interface WireServer extends AsyncDisposable {
  /** With the wire's base. */
  readonly url: string;
  /** Requests that held, as they were understood. */
  readonly asked: readonly Asked[];
  /** What was refused because it does not hold. */
  readonly problems: readonly string[];
}

/** A service on the loopback interface that answers from a list, and refuses what its published format does not allow. */
export async function startWireServer(wire: Wire, ...replies: readonly WireReply[]): Promise<WireServer> {
  const left = [...replies];
  const asked: Asked[] = [];
  const problems: string[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const body = JSON.parse(await text(request)) as Json;
    const problem = wire.problem({ path, headers, body });
    if (problem === undefined) asked.push(wire.asked(body));
    else problems.push(problem);
    const reply =
      problem === undefined ? (left.shift() ?? scriptIsEmpty) : { refused: { status: 400, message: problem } };
    send(response, wire, reply, { ...body, streams: body['stream'] === true || path.includes('alt=sse') });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${wire.base}`,
    asked,
    problems,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const scriptIsEmpty: WireReply = { refused: { status: 500, message: 'the script is empty' } };

function send(
  response: ServerResponse,
  wire: Wire,
  { said = {}, refused, isCut = false }: WireReply,
  body: Json,
): void {
  if (refused !== undefined) {
    response.writeHead(refused.status, { 'content-type': 'application/json', ...refused.headers });
    response.end(JSON.stringify(wire.refusal(refused.message, refused.status)));
  } else if (body['streams'] === true) {
    const { type, events } = wire.stream(said, body);
    response.writeHead(200, { 'content-type': type });
    response.end(events.slice(0, isCut ? Math.ceil(events.length / 2) : events.length).join(''));
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(wire.whole(said, body)));
  }
}
