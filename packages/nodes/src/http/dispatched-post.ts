import type { Dispatcher } from 'undici';
import type { AnswerHeaders } from './fetch.ts';
import { answerOf, failedWith, type Post } from './post-answer.ts';

/** Posts through a dispatcher of undici: through a proxy, and what a plain connection does not send. */
export function dispatchedPost(dispatcher: Dispatcher): Post {
  return ({ target: { origin, path, headers }, body, signal }) =>
    new Promise((resolve) => {
      const fail = (cause: unknown): void => resolve(failedWith(cause, signal));
      if (signal.aborted) fail(signal.reason);
      else {
        const succeed = (status: number, answered: AnswerHeaders, bytes: Buffer): void =>
          resolve(answerOf(status, answered, bytes));
        dispatcher.dispatch({ method: 'POST', origin, path, headers, body }, new Gatherer(signal, succeed, fail));
      }
    });
}

/** Takes an answer in; gives up the request when its signal is aborted. */
class Gatherer implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #succeed: (status: number, headers: AnswerHeaders, bytes: Buffer) => void;
  readonly #fail: (cause: unknown) => void;
  readonly #parts: Buffer[] = [];
  #status = 0;
  #headers: AnswerHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;

  constructor(
    signal: AbortSignal,
    succeed: (status: number, headers: AnswerHeaders, bytes: Buffer) => void,
    fail: (cause: unknown) => void,
  ) {
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
    this.#succeed(this.#status, this.#headers, Buffer.concat(this.#parts));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    this.#fail(error);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
