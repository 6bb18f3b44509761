import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat service whose answers depend on all that is asked and on nothing else. */
export interface HashingModel extends AsyncDisposable {
  readonly url: string;
}

export async function startHashingModel(): Promise<HashingModel> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { messages, model } = JSON.parse(body) as { readonly messages: unknown; readonly model: string };
    let hash = 7;
    for (const character of JSON.stringify([request.url, messages, model]))
      hash = (hash * 31 + character.charCodeAt(0)) % 9973;
    const choices = [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `answer ${hash % 3}` } },
    ];
    const usage = { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, choices, usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
