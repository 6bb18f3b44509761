import { AsyncLocalStorage } from 'node:async_hooks';
import type { ModelCalls, ToldCall } from '../openai/calls-of-code.ts';
import { AnswerText } from './answer-text.ts';

/** Tokens of the calls of models that one call of a function makes itself. */
export class CallTally {
  private told: ToldCall[] = [];
  private open = 0;

  /** A call was answered; what its answer tells is known once it is read. */
  begin(): void {
    this.open += 1;
  }

  end(call: ToldCall | undefined): void {
    if (call === undefined) return;
    this.open -= 1;
    this.told.push(call);
  }

  /** Undefined where no model was asked. Calls whose answers were not read to their end told nothing. */
  take(): ModelCalls | undefined {
    const { told, open } = this;
    this.told = [];
    this.open = 0;
    return told.length === 0 && open <= 0 ? undefined : { told, untold: Math.max(0, open) };
  }
}

const running = new AsyncLocalStorage<CallTally>();
const asks = /\/(?:chat\/completions|completions|embeddings|responses|threads(?:\/[^/]+)?\/runs)$/;
let listens = false;

/** Runs user code so that what models tell it of their tokens, also in what it starts, counts in `tally`. */
export function hearModelCalls<T>(tally: CallTally, run: () => T): T {
  return running.run(tally, run);
}

/**
 * Puts itself before the global `fetch`, by which the package `openai` and others ask models in its wire format. Outside of a call
 * of code nothing is heard. Done once a process, when the first code node is loaded.
 */
export function listenToModelCalls(): void {
  if (listens) return;
  listens = true;
  globalThis.fetch = new Proxy(globalThis.fetch, {
    apply: async (target, self, given: Parameters<typeof fetch>): Promise<Response> => {
      const tally = running.getStore();
      const response = (await Reflect.apply(target, self, given)) as Response;
      const isHeard = tally !== undefined && response.ok && asksModel(given);
      return isHeard ? heardResponse(response, tally, serviceOf(response)) : response;
    },
  });
}

function asksModel([asked, options]: Parameters<typeof fetch>): boolean {
  const method = options?.method ?? (asked instanceof Request ? asked.method : 'GET');
  if (method.toUpperCase() !== 'POST') return false;
  const url = asked instanceof Request ? asked.url : String(asked);
  return asks.test(URL.canParse(url) ? new URL(url).pathname : '');
}

function serviceOf({ url }: Response): string {
  return url.includes('/openai/deployments/') ? 'azure_open_ai' : 'open_ai';
}

/** The same answer, listened to as it is read, in whatever way: nothing is taken down of what is not read. */
function heardResponse(response: Response, tally: CallTally, service: string): Response {
  tally.begin();
  let isTold = false;
  const tell = (told: Omit<ToldCall, 'service'> | undefined): void => {
    if (isTold || told === undefined) return;
    isTold = true;
    tally.end({ ...told, service });
  };
  const { status, statusText, headers, url, redirected, type } = response;
  const heard = new Response(withListener(response.body, tell), { status, statusText, headers });
  // A response that is made cannot be given these.
  const told = { url, redirected, type };
  return Object.defineProperties(heard, Object.getOwnPropertyDescriptors(told));
}

function withListener(
  body: ReadableStream<Uint8Array> | null,
  tell: (told: Omit<ToldCall, 'service'> | undefined) => void,
): ReadableStream<Uint8Array> | null {
  const answer = new AnswerText();
  const decoder = new TextDecoder();
  const listener = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      answer.add(decoder.decode(chunk, { stream: true }));
      // Some stop reading here.
      if (answer.isDone) tell(answer.end());
      controller.enqueue(chunk);
    },
    flush: () => tell(answer.end()),
  });
  return body === null ? null : body.pipeThrough(listener);
}
