import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import { errorAnswer } from '../answers/json-answer.ts';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const unreadable: Refusal = { status: 400, code: 'BadRequest', message: 'This is no HTTP request that can be read.' };

/** By the codes of Node's parser and of its time limits. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'HeadersTooLarge', message: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'BodyTooLarge',
    message: 'The extensions of a chunk are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'RequestTimeout', message: 'The request did not come whole in time.' },
};

/** Milliseconds in which a client can take the refusal before its connection is cut. */
const leaveMs = 1000;

/**
 * What is no request that can be read is answered too, in the form of all refusals, and what is left of it read on, so that the answer
 * arrives. Requests before it on the connection are answered first: an answer in the place of another's would be taken for that one's.
 */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Not told to the parser, which would fail again with each piece.
  socket.removeAllListeners('data').on('data', () => undefined);
  const { _httpMessage: answer } = socket as { readonly _httpMessage?: ServerResponse | null };
  if (!socket.writable) socket.destroy();
  else if (answer?.req.complete === true) answer.once('finish', () => refuseUnread(error, socket));
  else if (answer?.headersSent === true) socket.destroy();
  else refuse(socket, refusals[error.code ?? ''] ?? unreadable);
}

function refuse(socket: Duplex, { status, code, message }: Refusal): void {
  const body = JSON.stringify({ error: { code, message } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), leaveMs).unref();
}

/** What is a request, but not one that leads anywhere: its Host or its address cannot be read. */
export function refuseUnaddressed(error: unknown): Response {
  return error instanceof RequestError
    ? errorAnswer(400, 'BadRequest', `This is no request that can be answered: ${error.message}.`)
    : errorAnswer(500, 'ServerError', 'The server itself failed.');
}

/** What a client expects of a server beside `100-continue` is never fulfilled. */
export function refuseExpectation(_request: unknown, response: ServerResponse): void {
  const body = JSON.stringify({ error: { code: 'ExpectationFailed', message: 'Only 100-continue can be expected.' } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  response.writeHead(417, headers).end(body);
}
