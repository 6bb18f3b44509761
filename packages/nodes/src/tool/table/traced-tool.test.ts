import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inTrace } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { answerTestServer } from '../../mcp/test-server.fixture.ts';
import { startHttpServer } from '../../testing/http-server.ts';
import { testTable } from '../../testing/test-table.ts';

const context = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=1' };

const orders = `openapi: 3.0.3
info: {title: Orders, version: "1"}
paths: {/orders: {get: {operationId: listOrders}}}
`;

test('a request of a tool over HTTP carries the trace it belongs to, and no other does', async () => {
  await using server = await startHttpServer(() => ({ body: {} }));
  const files = { 'tools.yaml': `- {openapi: orders.yaml, base_url: "${server.url}"}`, 'orders.yaml': orders };
  await using table = testTable(files);
  expect(table.told).toBe('');
  await inTrace(context, () => table.call('listOrders', {}));
  await table.call('listOrders', {});
  const told = server.requests.map(({ headers: { traceparent, tracestate } }) => ({ traceparent, tracestate }));
  expect(told).toEqual([context, { traceparent: undefined, tracestate: undefined }]);
});

test('a call of an MCP server carries it in its message', async () => {
  const called: unknown[] = [];
  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? JSON.parse(await text(request)) : undefined;
    if (body?.method === 'tools/call') called.push(body.params._meta);
    await answerTestServer(request, response, body);
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  await using table = testTable({ 'tools.yaml': `- {mcp: {name: test, url: '${url}'}, allow: [add]}` });
  await inTrace(context, () => table.call('add', { a: 1, b: 2 }));
  await table.call('add', { a: 1, b: 2 });
  expect(called).toMatchObject([context, undefined]);
});
