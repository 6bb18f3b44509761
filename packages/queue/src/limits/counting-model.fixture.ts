import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model on the loopback that answers OpenAI's chat completions and counts. */
export interface CountingModel extends AsyncDisposable {
  readonly url: string;
  /** When each request came, by `performance.now()`. */
  readonly cameAt: readonly number[];
  /** Resolves when so many requests have come. */
  arrived(count: number): Promise<void>;
  /** Most that were under way at a time. */
  readonly most: () => number;
}

export interface CountingModelSettings {
  /** Of each answer. */
  readonly tokens?: number;
  /** Answers are held back until so many requests are under way, or no more are to come than are. */
  readonly together?: { readonly count: number; readonly ofAll: number };
}

export async function countingModel({ tokens = 10, together }: CountingModelSettings = {}): Promise<CountingModel> {
  const cameAt: number[] = [];
  const arrivals = new EventEmitter();
  const held: ServerResponse[] = [];
  let [most, answered] = [0, 0];
  const server = createServer((request, response) => {
    cameAt.push(performance.now());
    arrivals.emit('arrival');
    request.resume().on('end', () => {
      held.push(response);
      most = Math.max(most, held.length);
      const enough = together === undefined ? 1 : Math.min(together.count, together.ofAll - answered);
      if (held.length < enough) return;
      for (const one of held.splice(0)) {
        answered += 1;
        one.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(tokens)));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    cameAt,
    async arrived(count) {
      while (cameAt.length < count) await once(arrivals, 'arrival');
    },
    most: () => most,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function completion(tokens: number) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'counting',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'one', refusal: null } }],
    usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
  };
}
