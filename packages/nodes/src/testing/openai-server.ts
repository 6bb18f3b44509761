import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkRequest } from './check-openai-request.ts';
import { responseObject, sendResponseStream } from './responses-answer.ts';
import type { ServerReply } from './server-reply.ts';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OpenAiServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Adds answers behind those that are left. */
  add(...replies: readonly ServerReply[]): void;
}

/**
 * A server on the loopback interface that speaks the wire formats of OpenAI and Azure OpenAI: it checks each request
 * against the published contract (path, key, api-version, roles, tool answers after tool calls, unknown parameters) and
 * answers from a script. Without a reply that fits it answers 500.
 */
export async function startOpenAiServer(replies: readonly ServerReply[] = []): Promise<OpenAiServer> {
  const left = [...replies];
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, left, requests);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    add: (...more) => left.push(...more),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  left: ServerReply[],
  requests: ReceivedRequest[],
): Promise<void> {
  const text = await readAll(request);
  const path = request.url ?? '';
  const body = parse(text);
  requests.push({ path, headers: request.headers, body: body ?? {} });
  const problem = checkRequest(request, body);
  if (problem !== undefined) {
    sendJson(response, problem.status, {
      error: { message: problem.message, type: 'invalid_request_error', param: problem.param ?? null, code: null },
    });
    return;
  }
  const at = left.findIndex(({ when }) => when === undefined || text.includes(when));
  const [reply] = at < 0 ? [] : left.splice(at, 1);
  if (reply === undefined)
    sendJson(response, 500, { error: { message: 'the script has no reply for this request', type: 'server_error' } });
  else await send(response, reply, path, body ?? {});
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

async function send(
  response: ServerResponse,
  reply: ServerReply,
  path: string,
  body: Record<string, unknown>,
): Promise<void> {
  if (reply.hangUp === true) {
    response.destroy();
    return;
  }
  if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (reply.text !== undefined) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.text);
    return;
  }
  if (reply.status !== undefined && reply.status >= 400) {
    const error = reply.error ?? { message: 'scripted failure', type: 'server_error', code: null };
    sendJson(response, reply.status, { error }, reply.headers);
  } else sendAnswer(response, reply, path, body);
}

function sendAnswer(response: ServerResponse, reply: ServerReply, path: string, body: Record<string, unknown>): void {
  const isChat = path.includes('/chat/');
  const isResponse = new URL(path, 'http://localhost').pathname.endsWith('/responses');
  if (isResponse && body['stream'] === true) sendResponseStream(response, reply, body);
  else if (isResponse) sendJson(response, 200, responseObject(reply, body), reply.headers);
  else if (path.includes('/embeddings')) sendJson(response, 200, embedding(reply, body), reply.headers);
  else if (body['stream'] === true) (isChat ? sendStream : sendCompletionStream)(response, reply, body);
  else sendJson(response, 200, (isChat ? chat : completion)(reply, body), reply.headers);
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function chat(
  { message = {}, finishReason, logprobs: told = [] }: ServerReply,
  body: Record<string, unknown>,
): unknown {
  const asked =
    message['tool_calls'] !== undefined
      ? 'tool_calls'
      : message['function_call'] !== undefined
        ? 'function_call'
        : 'stop';
  const reason = finishReason ?? asked;
  const logprobs = body['logprobs'] === true ? { content: told, refusal: null } : null;
  const choice = {
    index: 0,
    logprobs,
    finish_reason: reason,
    message: { role: 'assistant', content: null, ...message },
  };
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: body['model'], choices: [choice], usage };
}

function completion({ message = {} }: ServerReply, body: Record<string, unknown>): unknown {
  const choice = { index: 0, finish_reason: 'stop', text: message['content'] ?? '', logprobs: null };
  return { id: 'cmpl-1', object: 'text_completion', created: 0, model: body['model'], choices: [choice], usage };
}

function embedding(
  { embedding: one = [0.25, 0.5, 1], embeddings = [one] }: ServerReply,
  body: Record<string, unknown>,
): unknown {
  const isPacked = body['encoding_format'] === 'base64';
  const data = embeddings.map((numbers, index) => ({
    object: 'embedding',
    index,
    embedding: isPacked ? base64(numbers) : numbers,
  }));
  const usage = { prompt_tokens: 3 * data.length, total_tokens: 3 * data.length };
  return { object: 'list', data: data.toReversed(), model: body['model'], usage };
}

/** As the service writes them: 32-bit floats, little-endian. */
function base64(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
}

function sendCompletionStream(
  response: ServerResponse,
  { message = {} }: ServerReply,
  body: Record<string, unknown>,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const text of String(message['content'] ?? '').match(/[\s\S]{1,4}/gu) ?? []) {
    const choices = [{ index: 0, text, logprobs: null, finish_reason: null }];
    const part = { id: 'cmpl-1', object: 'text_completion', created: 0, model: body['model'], choices };
    response.write(`data: ${JSON.stringify(part)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

function sendStream(
  response: ServerResponse,
  { message = {}, finishReason = 'stop', logprobs = [] }: ServerReply,
  body: Record<string, unknown>,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (
    delta: unknown,
    finish: string | null = null,
    more: object = {},
    likely: object | null = null,
  ): void => {
    const choices = delta === undefined ? [] : [{ index: 0, delta, logprobs: likely, finish_reason: finish }];
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: body['model'], choices, ...more })}\n\n`,
    );
  };
  chunk({ role: 'assistant' });
  for (const part of String(message['content'] ?? '').match(/[\s\S]{1,4}/gu) ?? []) chunk({ content: part });
  if (message['function_call'] !== undefined) chunk({ function_call: message['function_call'] });
  for (const [index, call] of ((message['tool_calls'] ?? []) as readonly object[]).entries())
    chunk({ tool_calls: [{ index, ...call }] });
  if (body['logprobs'] === true) for (const one of logprobs) chunk({}, null, {}, { content: [one], refusal: null });
  chunk({}, finishReason);
  if ((body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true)
    chunk(undefined, null, { usage });
  response.end('data: [DONE]\n\n');
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
