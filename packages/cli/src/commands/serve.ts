import { type ProjectHost, refuseUnknownRedacted, type ServedFlow } from '@unroll/project';
import { type Beside, type ServerSettings, startServer } from '@unroll/server';
import { withEngine } from '../engine/with-engine.ts';
import { exitCode } from '../exit-code.ts';
import { interrupted } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { ServeSettings } from '../options/serve-options.ts';
import { hostOf } from '../project-host.ts';
import { namesOfServed, openServedFlow } from '../serving/open-served-flow.ts';
import { readServerSettings } from '../serving/read-server-settings.ts';

/** `flow serve`: answers requests until it is told to end; what is under way then is finished. */
export async function serve(given: ServeSettings, io: Io): Promise<number> {
  const host = hostOf(given, io);
  const names = namesOfServed('serve', given);
  const serverSettings = readServerSettings(given, io);
  const stop = io.interruption();
  const flows = await openAll(names, given, host, io, stop);
  if (flows === undefined) return exitCode.done;
  // Only one that is typed: a server without it needs none, whatever FLOW_ENGINE says.
  if (given.engine === undefined) return await answer(flows, serverSettings, host, {}, stop, io);
  return await withEngine(given, io, 'serve', async ({ openServedRequests }, database) => {
    await using distant = await openServedRequests(flows, requestSettings(given), database, host);
    return await answer(flows, serverSettings, host, { distant }, stop, io);
  });
}

async function answer(
  flows: readonly ServedFlow[],
  settings: ServerSettings,
  host: ProjectHost,
  beside: Beside,
  stop: AbortSignal,
  io: Io,
): Promise<number> {
  const server = await startServer(flows, settings, host, beside);
  io.stdout.write(`${flows.map(({ name }) => name).join(', ')}: ${server.url}\n`);
  await interrupted(stop);
  await server.close();
  return exitCode.done;
}

/** As many as this server would run and keep waiting, and as long as a request may take. */
function requestSettings({ maxInFlight = 64, maxQueue = 256, requestTimeout = 300_000 }: ServeSettings) {
  return { maxUnderWay: maxInFlight + maxQueue, rowTimeoutMs: requestTimeout };
}

/** Undefined where it is told to end before all are ready. */
async function openAll(
  names: readonly string[],
  settings: ServeSettings,
  host: ProjectHost,
  io: Io,
  stop: AbortSignal,
): Promise<readonly ServedFlow[] | undefined> {
  const flows: ServedFlow[] = [];
  try {
    for (const name of names) flows.push(await openServedFlow(name, settings, host, io, stop));
    refuseUnknownRedacted(settings.redact, flows);
  } catch (error) {
    for (const flow of flows) await flow[Symbol.asyncDispose]();
    if (stop.aborted) return undefined;
    throw error;
  }
  return flows;
}
