import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';

/** Stands for the OpenAI API in the cases: an echo, streamed where that is asked for; special texts make errors. */
export interface FakeModelServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly place: string;
  /** Path and body of each request since the last call. */
  taken(): readonly JsonValue[];
}

interface ChatRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: string }[];
}

const failures: Readonly<Record<string, string>> = {
  '400': 'bad_request',
  '401': 'invalid_api_key',
  '404': 'model_not_found',
};
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

export async function startFakeModelServer(): Promise<FakeModelServer> {
  let requests: JsonValue[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'image/png' }).end(png);
      return;
    }
    const text = await textOf(request);
    requests.push({ path: request.url ?? '', body: parseJson(text) as JsonObject });
    answer(JSON.parse(text) as ChatRequest, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => {
      const seen = requests;
      requests = [];
      return seen;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function answer({ model = 'm', stream = false, messages }: ChatRequest, response: ServerResponse): void {
  const text = messages.at(-1)?.content ?? '';
  const [, status] = /^fail (400|401|404)$/.exec(text) ?? [];
  const send = (code: number, body: object): void => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (status !== undefined) {
    send(Number(status), { error: { message: 'made to fail', type: 'test', code: failures[status], param: null } });
    return;
  }
  const words = text.split(/\s+/).filter((word) => word !== '');
  const parts = ['You', ' said:', ...words.map((word) => ` ${word}`)];
  const base = { id: 'cmpl-1', created: 1_700_000_000, model };
  const usage = { prompt_tokens: 10, completion_tokens: parts.length, total_tokens: 10 + parts.length };
  if (stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
    for (const event of events(text, parts, usage))
      response.write(`data: ${JSON.stringify({ ...base, ...event })}\n\n`);
    response.end(brokenOff(text) ? '' : 'data: [DONE]\n\n');
    return;
  }
  const message = { role: 'assistant', content: parts.join('') };
  send(200, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
}

function brokenOff(text: string): boolean {
  return text.startsWith('cut') || text.startsWith('late error');
}

function* events(text: string, parts: readonly string[], usage: object): Generator<object> {
  const object = 'chat.completion.chunk';
  const chunk = (delta: object, reason: string | null = null): object => ({
    object,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  if (text.startsWith('azure')) yield { object, choices: [], prompt_filter_results: [] };
  yield chunk({ role: 'assistant', content: '' });
  for (const [number, part] of parts.entries()) {
    if (number === 3 && text.startsWith('cut')) return;
    if (number === 3 && text.startsWith('late error')) {
      yield { error: { message: 'broke in mid-stream', type: 'server_error', code: null } };
      return;
    }
    yield chunk({ content: part });
  }
  yield chunk({}, 'stop');
  if (text.startsWith('azure')) yield { object, choices: [], usage };
}
