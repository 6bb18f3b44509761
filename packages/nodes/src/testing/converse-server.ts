import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One answer: a message's content blocks, or an error of the API by its name. */
export interface ConverseAnswer {
  readonly content?: readonly object[];
  readonly stopReason?: string;
  readonly stopSequence?: string;
  readonly error?: { readonly status: number; readonly type: string; readonly message: string };
}

export interface ConverseServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: readonly { readonly model: string; readonly body: ConverseBody }[];
}

interface ConverseBody {
  readonly messages?: readonly {
    readonly role: string;
    readonly content: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly [key: string]: unknown;
}

/**
 * A loopback stand-in for the Converse API of Amazon Bedrock. A request that the published contract does not allow (path,
 * signature for `bedrock`, unknown members, roles in turn beginning with the user, content blocks of one member, results for
 * the calls before them) is answered with `ValidationException`.
 */
export async function startConverseServer(answers: readonly ConverseAnswer[]): Promise<ConverseServer> {
  const left = [...answers];
  const requests: { model: string; body: ConverseBody }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as ConverseBody;
    const model = decodeURIComponent(/^\/model\/([^/]+)\/converse$/.exec(request.url ?? '')?.[1] ?? '');
    requests.push({ model, body });
    const isSigned = /^AWS4-HMAC-SHA256 .*\/bedrock\/aws4_request/.test(String(request.headers.authorization));
    const problem = addressProblem(request.method, model, isSigned) ?? problemOf(body);
    const refused = { status: 400, type: 'ValidationException', message: String(problem) };
    const answer = left.shift();
    const error = problem === undefined ? answer?.error : refused;
    const headers = { 'content-type': 'application/json' };
    if (error !== undefined) {
      response.writeHead(error.status, { ...headers, 'x-amzn-errortype': error.type });
      response.end(JSON.stringify({ message: error.message }));
      return;
    }
    response.writeHead(200, headers);
    response.end(JSON.stringify(answerBody(answer ?? {})));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function addressProblem(method: string | undefined, model: string, isSigned: boolean): string | undefined {
  if (method !== 'POST' || model === '') return 'no such operation';
  return isSigned ? undefined : 'the request is not signed';
}

function answerBody({ content = [], stopReason = 'end_turn', stopSequence }: ConverseAnswer): object {
  return {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens: 12, outputTokens: 7, totalTokens: 19 },
    metrics: { latencyMs: 1 },
    ...(stopSequence === undefined ? {} : { additionalModelResponseFields: { stop_sequence: stopSequence } }),
  };
}

const members = ['messages', 'system', 'inferenceConfig', 'toolConfig', 'additionalModelResponseFieldPaths'];
const settings = ['maxTokens', 'temperature', 'topP', 'stopSequences'];

function problemOf(body: ConverseBody): string | undefined {
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined) return `unknown member ${unknown}`;
  const setting = Object.keys((body['inferenceConfig'] ?? {}) as object).find((name) => !settings.includes(name));
  if (setting !== undefined) return `unknown setting ${setting}`;
  const { messages = [] } = body;
  if (messages[0]?.role !== 'user') return 'the conversation must start with a user message';
  if (messages.some(({ role }, at) => role === messages[at - 1]?.role)) return 'roles must take turns';
  const blocks = messages.flatMap(({ content }) => content);
  const many = blocks.find((block) => Object.keys(block).length !== 1);
  if (many !== undefined) return 'a content block has exactly one member';
  if (blocks.some(({ text: own }) => typeof own === 'string' && own.trim() === '')) return 'a text is blank';
  const last = messages.at(-1)?.content.at(-1)?.['text'];
  if (messages.at(-1)?.role === 'assistant' && typeof last === 'string' && /\s$/.test(last))
    return 'trailing white space';
  const known = new Set(blocks.map((block) => (block['toolUse'] as { toolUseId?: string } | undefined)?.toolUseId));
  const results = blocks.flatMap(
    (block) => (block['toolResult'] as { toolUseId: string } | undefined)?.toolUseId ?? [],
  );
  return results.every((id) => known.has(id)) ? undefined : 'a toolResult answers no toolUse';
}
