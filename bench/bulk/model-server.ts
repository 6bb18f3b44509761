import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A model on the loopback interface: answers every chat request after LATENCY_MS, in a stream where one is asked for, every
 * REFUSE_EVERY-th with a 429 that asks for 5 ms. Prints its port.
 */
const latencyMs = Number(process.env['LATENCY_MS'] ?? 0);
const refuseEvery = Number(process.env['REFUSE_EVERY'] ?? 0);
const content = 'Consent is needed before personal data goes to a third party.';
const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'gpt-4o-mini' };
const answer = {
  type: 'application/json',
  body: JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 24, completion_tokens: 12, total_tokens: 36 },
  }),
};
const part = (delta: object, finish_reason: 'stop' | null): string =>
  JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
const words = content.split(' ').map((word, at) => part({ content: at === 0 ? word : ` ${word}` }, null));
const stream = {
  type: 'text/event-stream',
  body: [...words, part({}, 'stop'), '[DONE]'].map((data) => `data: ${data}\n\n`).join(''),
};
const refusal = {
  type: 'application/json',
  body: '{"error":{"message":"slow down","type":"requests","code":"rate_limit"}}',
};
let count = 0;
const server = createServer((request, response) => {
  let asked = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    asked += text;
  });
  request.on('end', () => {
    count += 1;
    const isRefused = refuseEvery > 0 && count % refuseEvery === 0;
    const { type, body } = isRefused ? refusal : asked.includes('"stream":true') ? stream : answer;
    const send = (): void => {
      response.writeHead(isRefused ? 429 : 200, {
        'content-type': type,
        ...(isRefused ? { 'retry-after-ms': '5' } : {}),
      });
      response.end(body);
    };
    if (latencyMs === 0) send();
    else setTimeout(send, latencyMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
