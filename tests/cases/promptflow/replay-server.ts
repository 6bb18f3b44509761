import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { isMapping, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import type { RecordedCall } from './case.ts';
import { differences } from './compare-values.ts';

/** Answers for OpenAI and Azure OpenAI from recorded calls, and tells of every request that was not as recorded. */
export interface ReplayServer extends AsyncDisposable {
  readonly url: string;
  /** Requests that no recorded call fits, and recorded calls that differ from what was sent. */
  readonly problems: readonly string[];
  /** Recorded calls that nobody made. */
  unused(): readonly string[];
}

export async function startReplayServer(calls: readonly RecordedCall[]): Promise<ReplayServer> {
  const problems: string[] = [];
  const used = new Set<RecordedCall>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => answer({ calls, used, problems }, request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    problems,
    unused: () =>
      calls.filter((call) => !used.has(call)).map((call) => `not asked for: ${stringifyJson(call.request)}`),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Replay {
  readonly calls: readonly RecordedCall[];
  readonly used: Set<RecordedCall>;
  readonly problems: string[];
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return parseJson(Buffer.concat(chunks).toString('utf8')) as JsonObject;
}

function answer(
  { calls, used, problems }: Replay,
  request: IncomingMessage,
  body: JsonObject,
  to: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const api = /\/(chat|completions|embeddings)(?:\/completions)?$/.exec(url.pathname)?.[1];
  const provider = url.pathname.startsWith('/openai/deployments/') ? 'azure' : 'openai';
  const fitting = calls.filter((call) => call.api === api && call.provider === provider && isSameQuestion(call, body));
  const call = fitting.find((one) => !used.has(one)) ?? fitting[0];
  if (call === undefined) {
    problems.push(`no recorded ${provider} ${api} call fits ${stringifyJson(body)}`);
    sendJson(to, 400, { error: { message: 'no recorded call fits', type: 'invalid_request_error', code: null } });
    return;
  }
  used.add(call);
  problems.push(...differences(plain(call.request), plain(sent(call, body)), '').map((found) => `request ${found}`));
  checkHeader('ms-azure-ai-promptflow-called-from', call.header_called_from, request, problems);
  const version = url.searchParams.get('api-version') ?? undefined;
  if (call.api_version !== undefined && call.api_version !== version) problems.push(`api-version ${version}`);
  reply(call, body, to);
}

/** The same messages, prompt or input for the same model; the other parameters are compared after. */
function isSameQuestion({ request }: RecordedCall, body: JsonObject): boolean {
  return ['messages', 'prompt', 'input', 'model'].every((key) =>
    isDeepStrictEqual(plain(request[key]), plain(body[key])),
  );
}

/** On the wire `1` and `1.0` are the same number. */
function plain(value: JsonValue | undefined): JsonValue {
  return value === undefined ? null : (JSON.parse(stringifyJson(value)) as JsonValue);
}

/** How vectors are written on the wire is the client's own affair, where the original did not say. */
function sent({ api, request }: RecordedCall, body: JsonObject): JsonObject {
  if (api !== 'embeddings' || request['encoding_format'] !== undefined) return body;
  const { encoding_format: _, ...rest } = body;
  return rest;
}

function checkHeader(name: string, expected: string | undefined, request: IncomingMessage, problems: string[]): void {
  const value = request.headers[name];
  if (expected !== undefined && value !== expected) problems.push(`header ${name}: expected ${expected}, got ${value}`);
}

function reply({ response, status = 200 }: RecordedCall, body: JsonObject, to: ServerResponse): void {
  const written = response as JsonObject;
  if (Array.isArray(response))
    sendStream(
      to,
      response.map((chunk: JsonValue) => chunkOf(chunk, body)),
    );
  else if (typeof written['status'] === 'number') sendJson(to, written['status'], written['body'] ?? written);
  else if (isMapping(written['error']) && 'status' in written['error']) sendError(to, written['error']);
  else if (body['stream'] === true && status < 400) sendStream(to, chunksOf(written, body));
  else sendJson(to, status, response);
}

/** Of an error the class that the client raised is written, `{type, status}`; without a status the service was not reached. */
function sendError(to: ServerResponse, { status, ...error }: JsonObject): void {
  if (typeof status === 'number') sendJson(to, status, { error: { message: null, param: null, code: null, ...error } });
  else to.destroy();
}

function chunkOf(chunk: JsonValue, body: JsonObject): JsonValue {
  return typeof chunk === 'string' ? delta({ content: chunk }, body) : chunk;
}

/** A whole answer as the one chunk a server may send it in. */
function chunksOf(response: JsonObject, body: JsonObject): readonly JsonValue[] {
  const [choice] = (response['choices'] ?? []) as readonly JsonObject[];
  if (choice?.['text'] !== undefined) return [response];
  return [delta((choice?.['message'] ?? {}) as JsonObject, body)];
}

function delta(message: JsonObject, body: JsonObject): JsonValue {
  const choices = [{ index: 0, delta: message, finish_reason: null }];
  return { id: 'chatcmpl-suite', object: 'chat.completion.chunk', created: 0, model: body['model'] ?? '', choices };
}

function sendStream(to: ServerResponse, chunks: readonly JsonValue[]): void {
  to.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) to.write(`data: ${stringifyJson(chunk)}\n\n`);
  to.end('data: [DONE]\n\n');
}

function sendJson(to: ServerResponse, status: number, body: JsonValue): void {
  to.writeHead(status, { 'content-type': 'application/json' });
  to.end(stringifyJson(body));
}
