import { type ProjectHost, refuseUnknownRedacted, type ServedFlow } from '@unroll/project';
import { startServer } from '@unroll/server';
import { exitCode } from '../exit-code.ts';
import { interrupted } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { ServeSettings } from '../options/serve-options.ts';
import { hostOf } from '../project-host.ts';
import { namesOfServed, openServedFlow } from '../serving/open-served-flow.ts';
import { readServerSettings } from '../serving/read-server-settings.ts';

/** `flow serve`: answers requests until it is told to end; what is under way then is finished. */
export async function serve(settings: ServeSettings, io: Io): Promise<number> {
  const host = hostOf(settings, io);
  const names = namesOfServed('serve', settings);
  const serverSettings = readServerSettings(settings, io);
  const stop = io.interruption();
  const flows = await openAll(names, settings, host, io);
  const server = await startServer(flows, serverSettings, host);
  io.stdout.write(`${flows.map(({ name }) => name).join(', ')}: ${server.url}\n`);
  await interrupted(stop);
  await server.close();
  return exitCode.done;
}

async function openAll(
  names: readonly string[],
  settings: ServeSettings,
  host: ProjectHost,
  io: Io,
): Promise<readonly ServedFlow[]> {
  const flows: ServedFlow[] = [];
  try {
    for (const name of names) flows.push(await openServedFlow(name, settings, host, io));
    refuseUnknownRedacted(settings.redact, flows);
  } catch (error) {
    for (const flow of flows) await flow[Symbol.asyncDispose]();
    throw error;
  }
  return flows;
}
