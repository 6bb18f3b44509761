import { type JsonObject, mappingOf, parseJson } from '@unroll/engine';
import {
  findServedFlow,
  ProjectFailure,
  type ProjectHost,
  refuseUnknownRedacted,
  type ServedFlow,
  serveFlow,
} from '@unroll/project';
import { startServer } from '@unroll/server';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ServeSettings } from '../options/serve-options.ts';
import { hostOf } from '../project-host.ts';

/** `flow serve`: answers requests until it is told to end; what is under way then is finished. */
export async function serve(settings: ServeSettings, io: Io): Promise<number> {
  const host = hostOf(settings, io);
  const names = [...settings.flows, ...(settings.source === undefined ? [] : [settings.source])];
  if (names.length === 0) {
    throw new ProjectFailure('which flow? Give its folder', { help: 'For instance: flow serve my-flow' });
  }
  const key = keyOf(settings, io);
  const stop = io.interruption();
  const flows = await openAll(names, settings, host, io);
  const server = await startServer(flows, { ...serverSettingsOf(settings), ...key }, host);
  io.stdout.write(`${flows.map(({ name }) => name).join(', ')}: ${server.url}\n`);
  await new Promise((stopped) => {
    if (stop.aborted) stopped(undefined);
    stop.addEventListener('abort', stopped, { once: true });
  });
  await server.close();
  return exitCode.done;
}

async function openAll(
  names: readonly string[],
  settings: ServeSettings,
  host: ProjectHost,
  io: Io,
): Promise<readonly ServedFlow[]> {
  const { connectionsFile, variant, env, environmentVariables, init, runsDir } = settings;
  const connections = connectionsFile === undefined ? [] : [connectionsFile];
  const bulk = readBulkSettings({ connections, variant, env, environmentVariables, init, runsDir }, io);
  const recorded = settings.record ?? 1;
  const redacted = settings.redact.map((given) => given.replace(/^inputs\./, ''));
  const ofRequests = { recorded, redacted, allowsPrivateImages: settings.allowPrivateImages };
  const values = init.length === 0 ? { init: initFromEnvironment(io) } : {};
  const flows: ServedFlow[] = [];
  try {
    for (const name of names)
      flows.push(await serveFlow(findServedFlow(name, host), { ...bulk, ...values, ...ofRequests }, host));
    refuseUnknownRedacted(settings.redact, flows);
  } catch (error) {
    for (const flow of flows) await flow[Symbol.asyncDispose]();
    throw error;
  }
  return flows;
}

/** @throws ProjectFailure where PF_FLOW_INIT_CONFIG holds no JSON */
function initFromEnvironment({ environment }: Io): JsonObject {
  const written = environment['PF_FLOW_INIT_CONFIG'] ?? '';
  if (written === '') return {};
  try {
    return mappingOf(parseJson(written));
  } catch {
    throw new ProjectFailure("PF_FLOW_INIT_CONFIG can't be deserialized to json");
  }
}

/** @throws ProjectFailure where the variable holds none */
function keyOf({ apiKeyEnv }: ServeSettings, { environment, redactor }: Io): { readonly key?: string } {
  if (apiKeyEnv === undefined) return {};
  const key = environment[apiKeyEnv] ?? '';
  if (key === '') throw new ProjectFailure(`the variable ${apiKeyEnv}, which --api-key-env names, holds no key`);
  redactor.learn(key);
  return { key };
}

function serverSettingsOf(settings: ServeSettings): Parameters<typeof startServer>[1] {
  const { host, port, auth, allowHost, cors, maxBody, requestTimeout, receiveTimeout, maxInFlight, maxQueue, drain } =
    settings;
  const given = {
    host,
    port,
    maxInFlight,
    maxQueue,
    maxBodyBytes: maxBody === undefined ? undefined : maxBody * 1024,
    requestTimeoutMs: requestTimeout,
    receiveTimeoutMs: receiveTimeout,
    drainMs: drain,
  };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...defined, isOpen: !auth, hosts: [...allowHost], origins: [...cors] };
}
