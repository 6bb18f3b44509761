import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { Redactor } from '@unroll/engine';
import { expect, test, vi } from 'vitest';
import { OpenSpan } from './open-span.ts';
import { openProviders } from './providers.ts';

test('spans that come more quickly than they are taken, and find no room, are told of as lost', async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const told: string[] = [];
  const { source, shutdown } = openProviders({
    tracesUrl: url,
    serviceVersion: '1',
    capturesContent: false,
    redactor: new Redactor(),
    onFailure: (message) => told.push(message),
  });
  const end = (count: number): void => {
    const start = { name: 'n', kind: SpanKind.INTERNAL, startTime: 1 };
    for (let at = 0; at < count; at += 1) new OpenSpan(source, { ...start, attributes: {} }, undefined).end(2);
  };
  // One batch is on its way, and as many spans wait as can.
  end(2048 + 32_768);
  const before = [...told];
  end(2);
  await shutdown();
  server.close();
  expect(before).toEqual([]);
  expect(told).toEqual([`spans are lost: 32768 wait for ${url}, which takes them more slowly than they come`]);
});

test('what was not taken in time is told with its number, its address and why that may be', async () => {
  const answers: ServerResponse[] = [];
  const server = createServer((request, response) => request.resume().on('end', () => answers.push(response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const providers = openProviders({
    tracesUrl: `${url}/v1/traces`,
    metricsUrl: `${url}/v1/metrics`,
    serviceVersion: '1',
    capturesContent: false,
    redactor: new Redactor(),
    onFailure: () => {},
  });
  const why = 'nothing listens there, or it is too busy to take them';
  const start = { name: 'n', kind: SpanKind.INTERNAL, startTime: 1, attributes: {} };
  for (let count = 0; count < 3; count += 1) new OpenSpan(providers.source, start, undefined).end(2);
  const waiting = providers.unsent();
  const ended = providers.shutdown();
  await vi.waitUntil(() => answers.length === 1);
  const onTheirWay = providers.unsent();
  for (const response of answers) response.end();
  await ended;
  server.close();
  const told = `3 spans did not reach ${url}/v1/traces: ${why}`;
  expect([waiting, onTheirWay, providers.unsent()]).toEqual([told, told, undefined]);
});
