import { randomUUID } from 'node:crypto';
import { isInputError, type JsonObject, type NodeEvent, stringifyJson } from '@unroll/engine';
import {
  type ChatShape,
  chatShapeOf,
  ProjectFailure,
  type RequestPlace,
  type ServedFlow,
  type ServedRow,
} from '@unroll/project';
import { Hono } from 'hono';
import { eventBody } from '../answers/event-body.ts';
import { jsonAnswer } from '../answers/json-answer.ts';
import { passedOverHeader } from '../answers/passed-over-header.ts';
import { placeHeader } from '../answers/place-header.ts';
import { requestText } from '../answers/request-text.ts';
import { type RequestOutcome, runRequest } from '../answers/run-request.ts';
import type { Serving } from '../answers/serving.ts';
import { shownMessage } from '../answers/shown-message.ts';
import { unknownInputs } from '../answers/unknown-inputs.ts';
import { type ChatRequest, messagesWithoutPlace, readChatRequest, turnInputs } from './chat-request.ts';
import {
  answerText,
  type CompletionHead,
  chunkJson,
  completionJson,
  finishReason,
  usageChunkJson,
} from './completion.ts';

interface ChatFlow {
  readonly flow: ServedFlow;
  readonly shape: ChatShape;
}

/** Chat flows as models, in the wire format of OpenAI's chat API: a model is a flow by its name. */
export function chatRoutes(serving: Serving): Hono {
  const chats = serving.flows.flatMap(chatFlow);
  const created = seconds(serving);
  const app = new Hono();
  app.get('/v1/models', () =>
    jsonAnswer(200, {
      object: 'list',
      data: chats.map(({ flow }) => ({ id: flow.name, object: 'model', created, owned_by: 'flow' })),
    }),
  );
  app.post('/v1/chat/completions', async ({ req }) => {
    const read = readChatRequest(await requestText(req));
    if (!read.ok) return refusal(400, 'invalid_request', read.message);
    const chat = chats.find(({ flow }) => flow.name === read.request.model);
    if (chat === undefined)
      return refusal(404, 'model_not_found', 'There is no such chat flow; GET /v1/models lists them.');
    const inputs = turnInputs(read.request, chat.shape);
    if (inputs === undefined) return refusal(400, 'invalid_request', 'The last message must be one of the user.');
    return await new ChatCompletion(chat, read.request, serving).answer(inputs, req.raw.signal);
  });
  return app;
}

function chatFlow(flow: ServedFlow): readonly ChatFlow[] {
  try {
    return [{ flow, shape: chatShapeOf(flow.plan) }];
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return [];
  }
}

function seconds({ host }: Serving): number {
  return Math.floor(host.now() / 1000);
}

/** One request to a chat flow. */
class ChatCompletion {
  readonly #chat: ChatFlow;
  readonly #request: ChatRequest;
  readonly #serving: Serving;
  readonly #head: CompletionHead;

  constructor(chat: ChatFlow, request: ChatRequest, serving: Serving) {
    this.#chat = chat;
    this.#request = request;
    this.#serving = serving;
    this.#head = { id: `chatcmpl-${randomUUID()}`, created: seconds(serving), model: chat.flow.name };
  }

  async answer(inputs: JsonObject, gone: AbortSignal): Promise<Response> {
    if (this.#request.isStreamed) return this.#stream(inputs, gone);
    const outcome = await runRequest(this.#chat.flow, inputs, { gone: [gone] }, this.#serving);
    const failure = this.#failureOf(outcome);
    if (failure !== undefined) return failure.response;
    const { row } = outcome as Extract<RequestOutcome, { readonly kind: 'row' }>;
    return jsonAnswer(200, completionJson(this.#head, row, this.#chat.shape), this.#headers(row.place));
  }

  #stream(inputs: JsonObject, gone: AbortSignal): Response {
    const left = new AbortController();
    const { answeringNode, output } = this.#chat.shape;
    let place: RequestPlace | undefined;
    let sent = '';
    let write: (data: JsonObject) => void = () => undefined;
    const onEvent = (event: NodeEvent): void => {
      if (event.type !== 'text') return;
      const isAnswer = event.output === undefined ? event.node === answeringNode : event.output === output;
      if (!isAnswer || event.text === '') return;
      sent += event.text;
      write(chunkJson(this.#head, { content: event.text }));
    };
    const ended = runRequest(
      this.#chat.flow,
      inputs,
      {
        gone: [gone, left.signal],
        streaming: { nodes: 'answers', tokens: true },
        onEvent,
        onPlace: (known) => {
          place = known;
        },
      },
      this.#serving,
    );
    const body = eventBody(
      async (enqueue) => {
        write = (data) => enqueue(`data: ${stringifyJson(data)}\n\n`);
        write(chunkJson(this.#head, { role: 'assistant', content: '' }));
        const outcome = await ended;
        const failure = this.#failureOf(outcome);
        if (failure !== undefined) write(failure.body);
        else if (outcome.kind === 'row') this.#end(outcome.row, sent, write);
        enqueue('data: [DONE]\n\n');
      },
      () => left.abort(),
    );
    const type = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    return new Response(body, { headers: { ...type, ...this.#headers(place) } });
  }

  /** What was not sent while it came, why it ended, and what it took. */
  #end(row: ServedRow, sent: string, write: (data: JsonObject) => void): void {
    const answer = answerText(row, this.#chat.shape) ?? '';
    if (answer.startsWith(sent) && answer !== sent)
      write(chunkJson(this.#head, { content: answer.slice(sent.length) }));
    write(chunkJson(this.#head, {}, finishReason(row, this.#chat.shape)));
    if (this.#request.wantsUsage) write(usageChunkJson(this.#head, row));
  }

  #headers(place: RequestPlace | undefined): Readonly<Record<string, string>> {
    const { passedOver, inputs } = this.#request;
    const { flow, shape } = this.#chat;
    const withoutPlace = messagesWithoutPlace(this.#request, shape);
    const written = [shape.input.name, ...(shape.history === undefined ? [] : [shape.history])];
    const ofMessages = written.filter((name) => Object.hasOwn(inputs, name));
    const unused = [...unknownInputs(flow, inputs), ...ofMessages].map((name) => `inputs.${name}`);
    return { ...placeHeader(place), ...passedOverHeader([...passedOver, ...withoutPlace, ...unused]) };
  }

  #failureOf(outcome: RequestOutcome): { readonly response: Response; readonly body: JsonObject } | undefined {
    const failure = this.#failure(outcome);
    if (failure === undefined) return undefined;
    const [status, code, message] = failure;
    return { response: refusal(status, code, message), body: errorJson(status, code, message) };
  }

  #failure(outcome: RequestOutcome): readonly [status: number, code: string, message: string] | undefined {
    if (outcome.kind === 'timed-out') return [504, 'timeout', `The request took longer than ${outcome.seconds} s.`];
    if (outcome.kind === 'gone') return [503, 'gone', 'The request was given up.'];
    if (outcome.kind === 'busy')
      return [503, 'busy', outcome.isDraining ? 'The server is about to end.' : 'Too many requests are under way.'];
    const { error } = outcome.row.row;
    if (error === undefined) return undefined;
    return [isInputError(error) ? 400 : 500, error.code, shownMessage(error.message, this.#chat.flow, this.#serving)];
  }
}

function errorJson(status: number, code: string, message: string): JsonObject {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message, type, param: null, code } };
}

function refusal(status: number, code: string, message: string): Response {
  return jsonAnswer(status, errorJson(status, code, message), status === 503 ? { 'retry-after': '1' } : {});
}
