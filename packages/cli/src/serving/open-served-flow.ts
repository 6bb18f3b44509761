import type { JsonObject } from '@unroll/engine';
import {
  findServedFlow,
  ProjectFailure,
  type ProjectHost,
  projectOn,
  readInitVariable,
  type ServedFlow,
  serveFlow,
} from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import type { Io } from '../io.ts';
import type { ServeSettings } from '../options/serve-options.ts';

/**
 * The flows that are named, `--source` among them.
 *
 * @throws ProjectFailure where there is none
 */
export function namesOfServed(command: 'serve' | 'dev', { flows, source }: ServeSettings): readonly string[] {
  const names = [...flows, ...(source === undefined ? [] : [source])];
  if (names.length > 0) return names;
  throw new ProjectFailure('which flow? Give its folder', { help: `For instance: flow ${command} my-flow` });
}

/**
 * Makes a flow ready for requests, as the command line asks for it.
 *
 * @param signal aborted before it is, gives it up
 * @throws FlowNotReady when it cannot run, ProjectFailure where there is none, or where what is given cannot be read
 */
export async function openServedFlow(
  name: string,
  settings: ServeSettings,
  host: ProjectHost,
  io: Io,
  signal: AbortSignal,
): Promise<ServedFlow> {
  const { connectionsFile, variant, env, environmentVariables, init, runsDir, record = 1 } = settings;
  const connections = connectionsFile === undefined ? [] : [connectionsFile];
  const bulk = readBulkSettings({ connections, variant, env, environmentVariables, init, runsDir }, io);
  const found = findServedFlow(name, host);
  const values = init.length === 0 ? { init: await initFromEnvironment(found, host) } : {};
  const redacted = settings.redact.map((given) => given.replace(/^inputs\./, ''));
  const ofRequests = { recorded: record, redacted, allowsPrivateImages: settings.allowPrivateImages };
  return await serveFlow(found, { ...bulk, ...values, ...ofRequests, signal }, host);
}

/** @throws ProjectFailure where PF_FLOW_INIT_CONFIG holds no JSON, or another value than an object for a flow that takes arguments */
async function initFromEnvironment({ file }: { readonly file: string }, host: ProjectHost): Promise<JsonObject> {
  const read = readInitVariable(host.environment);
  if (read.ok) return read.init;
  const isRead = async () =>
    (await projectOn(host).check(file)).diagnostics.some(({ code }) => code === 'FLEX_VARIABLE');
  if (read.isJson && !(await isRead())) return {};
  throw new ProjectFailure(read.message, { help: read.help });
}
