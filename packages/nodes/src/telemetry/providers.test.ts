import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { Redactor } from '@unroll/engine';
import { expect, test } from 'vitest';
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
