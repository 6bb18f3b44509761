import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A model on the loopback interface: answers every chat request after LATENCY_MS, every REFUSE_EVERY-th with a 429 that asks
 * for 5 ms. Prints its port.
 */
const latencyMs = Number(process.env['LATENCY_MS'] ?? 0);
const refuseEvery = Number(process.env['REFUSE_EVERY'] ?? 0);
const answer = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Consent is needed before personal data goes to a third party.' },
    },
  ],
  usage: { prompt_tokens: 24, completion_tokens: 12, total_tokens: 36 },
});
let count = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    count += 1;
    const isRefused = refuseEvery > 0 && count % refuseEvery === 0;
    const status = isRefused ? 429 : 200;
    const headers = isRefused ? { 'retry-after-ms': '5' } : {};
    const body = isRefused ? '{"error":{"message":"slow down","type":"requests","code":"rate_limit"}}' : answer;
    const send = (): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    };
    if (latencyMs === 0) send();
    else setTimeout(send, latencyMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
