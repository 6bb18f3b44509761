import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { serveFlows } from '../testing/served-world.ts';
import { Gate } from './gate.ts';
import { runRequest } from './run-request.ts';
import type { Serving } from './serving.ts';

test.for([
  { request: 'a row that completes', inFlight: 1, n: 2, ended: 'Completed' },
  { request: 'a row that fails', inFlight: 1, n: 3, ended: 'Failed' },
  { request: 'one too many', inFlight: 0, n: 2, ended: 'busy' },
])('$request, once it has ended, listens to nothing that outlives it', async ({ inFlight, n, ended }) => {
  await using world = await serveFlows(['double'], { recorded: 0 });
  const [flow] = world.flows;
  if (flow === undefined) throw new Error('bug: no flow');
  const server = new AbortController();
  const connection = new AbortController();
  const listeners = (): readonly number[] =>
    [server, connection].map(({ signal }) => getEventListeners(signal, 'abort').length);
  const serving: Serving = {
    ...{ flows: [flow], recorded: () => [flow], edited: undefined, distant: undefined, pending: new Map() },
    ...{ version: 'test', host: world.host, isDraining: () => false },
    ...{ gate: new Gate({ inFlight, queue: 0 }), requestTimeoutMs: 60_000, givenUp: server.signal },
  };
  const running = runRequest(flow, { n }, { gone: [connection.signal] }, serving);
  expect(listeners()).toEqual([1, 1]);
  const outcome = await running;
  expect(outcome.kind === 'row' ? outcome.row.row.status : outcome.kind).toBe(ended);
  expect(listeners()).toEqual([0, 0]);
});
