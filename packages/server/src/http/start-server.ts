import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { longestTimerMs } from '@unroll/engine';
import { type DistantRequests, notify, ProjectFailure, type ProjectHost, type ServedFlow } from '@unroll/project';
import type { FlowMistakes } from '../answers/edited-flows.ts';
import { readShape } from '../answers/read-shape.ts';
import { CurrentApp } from './current-app.ts';
import { closed, listening, nameHost, urlOf } from './listen.ts';
import { refuseExpectation, refuseUnaddressed, refuseUnread } from './refuse-unread.ts';
import { isLoopback, type ReadServerSettings, type ServerSettings, serverSettings } from './server-settings.ts';

/** A server that listens. */
export interface FlowServer {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  /**
   * Serves these flows from the next request on; requests under way finish on those they took the place of, which are closed then.
   *
   * @throws ProjectFailure where they cannot be served: those before are served on
   */
  replace(flows: readonly ServedFlow[], mistakes: readonly FlowMistakes[]): void;
  /** Takes no new work, lets requests under way finish, and closes the flows with their records. */
  close(): Promise<void>;
}

/** What some servers have beside their flows. */
export interface Beside {
  /** Of flows that are edited while they are served; absent where they are not. */
  readonly mistakes?: readonly FlowMistakes[] | undefined;
  /** Where rows run that nobody waits for; closed by who opened it, after the server. */
  readonly distant?: DistantRequests | undefined;
}

/**
 * Serves flows over HTTP until it is closed, and closes them.
 *
 * @throws ProjectFailure where it may not, or cannot, be served there
 */
export async function startServer(
  flows: readonly ServedFlow[],
  given: ServerSettings,
  host: ProjectHost,
  { mistakes, distant }: Beside = {},
): Promise<FlowServer> {
  const settings = readServerSettings(given);
  const app = new CurrentApp(flows, mistakes, settings, host, distant);
  const connectionsCheckingInterval = Math.min(settings.receiveTimeoutMs / 2, 5000);
  // Without a Host a request is refused as every other is, and not by Node with an empty body.
  const answer = getRequestListener((...call) => app.fetch(...call), { errorHandler: refuseUnaddressed });
  const server = createServer({ connectionsCheckingInterval, requireHostHeader: false }, (request, response) => {
    nameHost(request, settings.host);
    return answer(request, response);
  });
  server.requestTimeout = settings.receiveTimeoutMs;
  server.headersTimeout = settings.receiveTimeoutMs;
  // Longer than those before it keep theirs: a request is not sent on a connection that is closed meanwhile.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', refuseUnread);
  server.on('checkExpectation', refuseExpectation);
  await listening(server, settings);
  return {
    url: urlOf(server),
    replace: (next, newMistakes) => app.replace(next, newMistakes),
    close: async () => {
      app.drain();
      await Promise.race([app.gate.empty(), elapsed(settings.drainMs)]);
      await endNow(app, settings.drainMs, host);
      if (app.gate.underWay === 0) await reportToGo(server);
      await closed(server);
      await app.close();
    },
  };
}

/** @throws ProjectFailure with all that is wrong */
function readServerSettings(given: ServerSettings): ReadServerSettings {
  const read = readShape(serverSettings, given);
  if (!read.ok) throw new ProjectFailure(read.message);
  const { host, key, isOpen } = read.value;
  if (key === undefined && !isOpen && !isLoopback(host)) {
    throw new ProjectFailure(`${host} can be reached from other machines: a key is needed`, {
      code: 'KeyNeeded',
      help: '--api-key-env NAME takes it from a variable; --no-auth serves without one.',
    });
  }
  return read.value;
}

/** Milliseconds in which rows that are stopped have ended. */
const stopMs = 1000;

/** Stops what is under way after all the time it had, so that it is answered and recorded. */
async function endNow(app: CurrentApp, drainMs: number, host: ProjectHost): Promise<void> {
  const { underWay } = app.gate;
  if (underWay === 0) return;
  const what = underWay === 1 ? '1 request' : `${underWay} requests`;
  notify(host, { kind: 'warning', message: `stopped at the end: ${what} that took longer than ${drainMs / 1000} s` });
  app.giveUp();
  await Promise.race([app.gate.empty(), elapsed(stopMs)]);
}

/** Milliseconds in which a client that asks again and again has asked once more. */
const askAgainMs = 100;

/**
 * Takes no new connections, and answers what is asked on those that are open: that there is no more, and to close them. `http.Server` closes
 * the idle ones at once, and what a client has just sent is lost. Who is silent meanwhile is not told.
 */
async function reportToGo(server: Server): Promise<void> {
  NetServer.prototype.close.call(server);
  let before = Number.POSITIVE_INFINITY;
  for (let left = await connectionsOf(server); left > 0 && left < before; left = await connectionsOf(server)) {
    before = left;
    await setTimeout(askAgainMs);
  }
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

/** Keeps no process running. */
async function elapsed(ms: number): Promise<void> {
  await setTimeout(Math.min(ms, longestTimerMs), undefined, { ref: false });
}
