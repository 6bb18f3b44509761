import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureProblem } from './aws-signature.ts';

export interface LambdaAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds between headers and body. */
  readonly bodyDelayMs?: number;
  /** Sent in chunks, without Content-Length. */
  readonly isChunked?: boolean;
}

export interface ReceivedInvocation {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LambdaServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly received: readonly ReceivedInvocation[];
  /** Bytes of bodies that were handed to the system. */
  readonly bytesSent: () => number;
}

/**
 * A loopback stand-in for AWS Lambda's Invoke API. A request that the published contract does not allow
 * (`POST /2015-03-31/functions/{name}/invocations`, a known invocation type, a signature) is answered with 400.
 *
 * @param secrets secret keys by the ids of their access keys; given, every signature must match
 */
export async function startLambdaServer(
  answer: (invocation: ReceivedInvocation) => LambdaAnswer,
  secrets?: Readonly<Record<string, string>>,
): Promise<LambdaServer> {
  const received: ReceivedInvocation[] = [];
  let sent = 0;
  const server = createServer(async (request, response) => {
    const invocation = await read(request);
    received.push(invocation);
    const problem = problemOf(invocation) ?? (secrets && signatureProblem(invocation, 'lambda', secrets));
    const given: LambdaAnswer =
      problem === undefined ? answer(invocation) : { status: 400, body: JSON.stringify({ message: problem }) };
    await write(response, given, (bytes) => {
      sent += bytes;
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    bytesSent: () => sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function read(request: IncomingMessage): Promise<ReceivedInvocation> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
}

function problemOf({ method, path, headers, body }: ReceivedInvocation): string | undefined {
  if (method !== 'POST') return `method ${method}`;
  if (!/^\/2015-03-31\/functions\/[^/]+\/invocations(\?Qualifier=[^&]+)?$/.test(path)) return `path ${path}`;
  if (!['RequestResponse', 'Event', 'DryRun'].includes(String(headers['x-amz-invocation-type']))) {
    return 'X-Amz-Invocation-Type';
  }
  if (!String(headers['authorization']).startsWith('AWS4-HMAC-SHA256 ')) return 'no signature';
  return Buffer.byteLength(body) > 6 * 1024 * 1024 ? 'the payload is larger than 6 MB' : undefined;
}

async function write(response: ServerResponse, answer: LambdaAnswer, count: (bytes: number) => void): Promise<void> {
  const { status, headers, body, bodyDelayMs, isChunked } = answer;
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, ...(isChunked === true ? {} : { 'content-length': length }) });
  response.flushHeaders();
  if (bodyDelayMs !== undefined) await new Promise((passed) => setTimeout(passed, bodyDelayMs));
  for (let start = 0; start < body.length && !response.destroyed; start += 65_536) {
    const part = body.slice(start, start + 65_536);
    if (!response.write(part)) {
      await new Promise((ready) => {
        response.once('drain', ready);
        response.once('close', ready);
      });
    }
    count(part.length);
  }
  response.end();
}
