import { expect, test } from 'vitest';
import { startRawServer } from '../testing/raw-server.ts';
import { openFetch } from './fetch.ts';

test.for(['application/x-ndjson', 'text/event-stream'])('%s is handed on as it comes', async (type) => {
  const { promise: isFirstRead, resolve: reportFirstRead } = Promise.withResolvers<void>();
  await using server = await startRawServer();
  server.answerWith(() => (response) => {
    response.writeHead(200, { 'content-type': type });
    response.write('1\n');
    void isFirstRead.then(() => response.end('2\n'));
  });
  const answer = await (await openFetch())(server.url);
  const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
  const text = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString('utf8');
  expect(await text()).toBe('1\n');
  reportFirstRead();
  expect(await text()).toBe('2\n');
});
