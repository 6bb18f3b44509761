import type { Dispatcher } from 'undici';
import { openDispatcher } from './dispatcher.ts';
import { type AnswerHeaders, notFetched, responseOf } from './fetch.ts';

export interface PostRequest {
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What an answer in JSON holds; of any other, and of none, what `fetch` would have given. */
export type PostAnswer =
  | { readonly json: unknown; readonly headers: AnswerHeaders }
  | { readonly fetched: () => Promise<Response> };

export type Post = (request: PostRequest) => Promise<PostAnswer>;

/**
 * Posts at the least cost: the answer is gathered as it comes in, with no stream and, where it is plain JSON, no
 * `Response`. Never rejects.
 */
export async function openPost(): Promise<Post> {
  const dispatcher = await openDispatcher();
  return ({ signal, origin, path, headers, body }) =>
    new Promise((resolve) => {
      const fail = (cause: unknown): void => resolve({ fetched: () => Promise.reject(notFetched(cause, signal)) });
      if (signal.aborted) fail(signal.reason);
      else {
        const answer = new GatheredAnswer(signal, (gathered) => resolve(answerOf(gathered)), fail);
        dispatcher.dispatch({ method: 'POST', origin, path, headers, body }, answer);
      }
    });
}

interface Gathered {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly bytes: Buffer;
}

/** Takes an answer in; gives up the request when its signal is aborted. */
class GatheredAnswer implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #succeed: (gathered: Gathered) => void;
  readonly #fail: (cause: unknown) => void;
  readonly #parts: Buffer[] = [];
  #status = 0;
  #headers: AnswerHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;

  constructor(signal: AbortSignal, succeed: (gathered: Gathered) => void, fail: (cause: unknown) => void) {
    this.#signal = signal;
    this.#succeed = succeed;
    this.#fail = fail;
    signal.addEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = (): void => {
    this.#signal.removeEventListener('abort', this.#giveUp);
    this.#controller?.abort(asError(this.#signal.reason));
    this.#fail(this.#signal.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(asError(this.#signal.reason));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, part: Buffer): void {
    this.#parts.push(part);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    this.#succeed({ status: this.#status, headers: this.#headers, bytes });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    this.#fail(error);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function answerOf({ status, headers, bytes }: Gathered): PostAnswer {
  const type = String(headers['content-type']);
  if (status !== 200 || headers['content-encoding'] !== undefined || !type.startsWith('application/json')) {
    return { fetched: () => responseOf(status, headers, bytes) };
  }
  const text = bytes.toString('utf8');
  try {
    return { json: JSON.parse(text), headers };
  } catch {
    return { fetched: async () => new Response(text, { status, headers: { 'content-type': type } }) };
  }
}
