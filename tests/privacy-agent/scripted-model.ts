import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Value, Values } from '@unroll/engine';

/** A chat model on loopback that speaks OpenAI's wire format and answers from a script. */
export interface ScriptedModel extends AsyncDisposable {
  /** For a connection's `base_url`. */
  readonly url: string;
  readonly requests: readonly Values[];
}

/** @param replies the message of each answer in turn; a further call gets an error of the server */
export async function startScriptedModel(replies: readonly Value[]): Promise<ScriptedModel> {
  const requests: Values[] = [];
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await readBody(request)) as Values);
    const reply = replies[requests.length - 1];
    if (reply === undefined) return send(response, 400, { error: { message: 'the script has ended', type: 'script' } });
    send(response, 200, completion(requests.length, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, [Symbol.asyncDispose]: () => close(server) };
}

/** An answer that asks for a function; its content is null. */
export function callReply(name: string, callArguments: string): Values {
  return { role: 'assistant', content: null, function_call: { name, arguments: callArguments } };
}

export function textReply(content: string | null): Values {
  return { role: 'assistant', content };
}

function completion(number: number, message: Value): Values {
  const reason =
    typeof message === 'object' && message !== null && 'function_call' in message ? 'function_call' : 'stop';
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: Values): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
