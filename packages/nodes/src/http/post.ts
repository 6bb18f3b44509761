import { offAbort, onAbort } from '@unroll/engine';
import type { Dispatcher } from 'undici';
import { CountedBytes, usualMostBytes } from './answer-limit.ts';
import { openDispatcher } from './dispatcher.ts';
import type { AnswerHeaders } from './fetch.ts';
import { answerOf, failedWith, type Post } from './post-answer.ts';

/**
 * Posts at the least cost: the answer is gathered as it comes in, with no stream and, where it is plain JSON, no
 * `Response`.
 */
export async function openPost(): Promise<Post> {
  return dispatchedPost(await openDispatcher());
}

/** Posts through a dispatcher of undici. */
export function dispatchedPost(dispatcher: Dispatcher): Post {
  return ({ target: { origin, path, headers }, body, signal, mostBytes = usualMostBytes }) =>
    new Promise((resolve) => {
      const fail = (cause: unknown): void => resolve(failedWith(cause, signal));
      if (signal.aborted) fail(signal.reason);
      else {
        const succeed = (status: number, answered: AnswerHeaders, bytes: Buffer): void =>
          resolve(answerOf(status, answered, bytes, mostBytes));
        const gatherer = new Gatherer(signal, new CountedBytes(mostBytes), succeed, fail);
        dispatcher.dispatch({ method: 'POST', origin, path, headers, body }, gatherer);
      }
    });
}

/** Takes an answer in; gives up the request when its signal is aborted. */
class Gatherer implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #count: CountedBytes;
  readonly #succeed: (status: number, headers: AnswerHeaders, bytes: Buffer) => void;
  readonly #fail: (cause: unknown) => void;
  readonly #parts: Buffer[] = [];
  #status = 0;
  #headers: AnswerHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;

  constructor(
    signal: AbortSignal,
    count: CountedBytes,
    succeed: (status: number, headers: AnswerHeaders, bytes: Buffer) => void,
    fail: (cause: unknown) => void,
  ) {
    this.#signal = signal;
    this.#count = count;
    this.#succeed = succeed;
    this.#fail = fail;
    onAbort(signal, this.#giveUp);
  }

  readonly #giveUp = (): void => {
    offAbort(this.#signal, this.#giveUp);
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

  /** What it throws ends the request, and comes back as its error. */
  onResponseData(_: Dispatcher.DispatchController, part: Buffer): void {
    this.#count.add(part.length);
    this.#parts.push(part);
  }

  onResponseEnd(): void {
    offAbort(this.#signal, this.#giveUp);
    this.#succeed(this.#status, this.#headers, Buffer.concat(this.#parts));
  }

  onResponseError(_: unknown, error: Error): void {
    offAbort(this.#signal, this.#giveUp);
    this.#fail(error);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
