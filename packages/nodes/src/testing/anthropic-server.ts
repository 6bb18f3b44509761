import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { anthropicProblem } from './check-anthropic-request.ts';
import type { RawAnswer } from './raw-server.ts';

type Json = Readonly<Record<string, unknown>>;

/** One answer: content blocks and how it ended, an error of the API, or whatever a service does wrong. */
export interface AnthropicAnswer {
  readonly content?: readonly Json[];
  readonly stopReason?: string;
  readonly usage?: Json;
  readonly error?: {
    readonly status: number;
    readonly type: string;
    readonly message: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Ends a stream after so many events; the connection breaks off where `breaks`. */
  readonly cut?: { readonly after: number; readonly breaks: boolean };
  readonly raw?: RawAnswer;
}

export interface AnthropicServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  readonly requests: readonly { readonly headers: Json; readonly body: Json }[];
  add(...answers: readonly AnthropicAnswer[]): void;
}

/**
 * A loopback stand-in for Anthropic's Messages API: a request that the published contract does not allow is refused as the
 * service refuses it, any other is answered from a script, as a whole or as server-sent events. An empty script answers 500.
 */
export async function startAnthropicServer(...answers: readonly AnthropicAnswer[]): Promise<AnthropicServer> {
  const left = [...answers];
  const requests: { headers: Json; body: Json }[] = [];
  const server = createServer(async (request, response) => {
    const body = parsed(await textOf(request));
    requests.push({ headers: request.headers, body: body ?? {} });
    const { method, headers, url: path = '' } = request;
    const problem = anthropicProblem({ method, path, headers, body });
    const [, type = 'invalid_request_error', message = ''] = /^(?:(\w+_error): )?(.*)$/s.exec(problem ?? '') ?? [];
    if (problem !== undefined) sendError(response, { status: statusOf[type] ?? 400, type, message });
    else send(response, left.shift() ?? emptyScript, body ?? {});
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    add: (...more) => left.push(...more),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const statusOf: Readonly<Record<string, number>> = { not_found_error: 404, authentication_error: 401 };

const emptyScript: AnthropicAnswer = { error: { status: 500, type: 'api_error', message: 'the script is empty' } };

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, answer: AnthropicAnswer, body: Json): void {
  if (answer.raw !== undefined) answer.raw(response);
  else if (answer.error !== undefined) sendError(response, answer.error);
  else if (body['stream'] === true) sendEvents(response, answer, eventsOf(message(answer, body)));
  else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(message(answer, body)));
  }
}

function sendError(
  response: ServerResponse,
  { status, type, message: words, headers = {} }: NonNullable<AnthropicAnswer['error']>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type, message: words }, request_id: 'req_1' }));
}

interface Message {
  readonly content: readonly Json[];
  readonly usage: Json;
  readonly [key: string]: unknown;
}

function message({ content = [], stopReason = 'end_turn', usage }: AnthropicAnswer, body: Json): Message {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 7, ...usage },
  };
}

/** "Streaming messages": a message begins empty, its blocks come one after another, how it ended comes last. */
function eventsOf(whole: Message): readonly Json[] {
  const { content, usage, stop_reason: reason, stop_sequence: stop, ...rest } = whole;
  const begun = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  return [
    { type: 'message_start', message: begun },
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: stop },
      usage: { output_tokens: usage['output_tokens'] },
    },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Json, index: number): readonly Json[] {
  const [empty, deltas] = blockParts(block);
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function blockParts(block: Json): readonly [Json, readonly Json[]] {
  if (block['type'] === 'tool_use') {
    const pieces = JSON.stringify(block['input']).match(/[\s\S]{1,6}/gu) ?? [];
    return [{ ...block, input: {} }, pieces.map((part) => ({ type: 'input_json_delta', partial_json: part }))];
  }
  if (block['type'] === 'thinking') {
    const { thinking, signature } = block;
    return [
      { type: 'thinking', thinking: '', signature: '' },
      [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ],
    ];
  }
  const pieces = String(block['text']).match(/[\s\S]{1,4}/gu) ?? [];
  return [{ type: 'text', text: '' }, pieces.map((part) => ({ type: 'text_delta', text: part }))];
}

function sendEvents(response: ServerResponse, { cut }: AnthropicAnswer, events: readonly Json[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const sent = cut === undefined ? events : events.slice(0, cut.after);
  const text = sent.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  if (cut?.breaks === true) response.write(text, () => response.destroy());
  else response.end(text);
}
